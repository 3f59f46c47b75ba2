"""What the audit of a certificate takes at most."""

from __future__ import annotations

from tallystick.certificates.budget import AuditLimits

LIMITS = AuditLimits()
