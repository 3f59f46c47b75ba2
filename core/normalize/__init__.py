"""𝒩: from formulas of APA+ to formulas of APA by rewriting (TR Appendix A), one pass a file."""

from tallystick.core.normalize.pipeline import PASSES, normalize, trace

__all__ = ["PASSES", "normalize", "trace"]
