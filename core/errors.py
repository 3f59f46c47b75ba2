"""The exception tree: every error of Tallystick, each also the natural builtin."""


class TallystickError(Exception):
    """Base of every error that Tallystick raises on purpose."""


class SortError(TallystickError, TypeError):
    """A term was built from arguments of the wrong type."""


class EvaluationError(TallystickError, ValueError):
    """A program cannot be evaluated on the given input, or not within the step limit."""


class FragmentError(TallystickError, ValueError):
    """An expression lies outside the fragment that an operation is defined on."""


class KernelError(TallystickError, ValueError):
    """A rule of inference was applied to premises that do not fit it."""


class BudgetError(KernelError):
    """Checking takes more than it may: steps, memory, or levels of nesting."""


class RefutationError(KernelError):
    """A refutation tree does not refute the formula that it is presented for, or the formula is no formula."""


class CertificateError(TallystickError, ValueError):
    """The data are no certificate in canonical form, or exceed a limit; the message says where."""
