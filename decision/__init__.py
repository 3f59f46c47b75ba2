"""Decision methods: untrusted searches for proof trees and counterexamples, one module a method."""
