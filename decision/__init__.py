"""Untrusted searches for proof trees and counterexamples: methods, what they share, and the processes they run in."""
