"""An interrupt within code whose exceptions Python prints and forgets comes again."""

from __future__ import annotations

import signal
import sys
import time
import weakref

import pytest
from tallystick.core.interrupts import no_interrupt_lost


class Finalised:
    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


class Value:
    pass


def by_finaliser() -> None:
    Finalised()


def by_callback() -> None:
    value = Value()
    reference = weakref.ref(value, lambda _: signal.raise_signal(signal.SIGINT))
    del value
    assert reference() is None


@pytest.mark.parametrize("lose", [by_finaliser, by_callback])
def test_an_interrupt_that_cannot_be_raised_comes_again(lose, capfd: pytest.CaptureFixture[str]) -> None:
    before = sys.unraisablehook
    with no_interrupt_lost():
        lose()
        with pytest.raises(KeyboardInterrupt):
            time.sleep(10)
    assert sys.unraisablehook is before
    assert capfd.readouterr() == ("", "")


def test_other_lost_exceptions_are_told_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing:
        def __del__(self) -> None:
            raise ValueError("in a finaliser")

    told = []
    monkeypatch.setattr(sys, "unraisablehook", lambda unraisable: told.append(str(unraisable.exc_value)))
    with no_interrupt_lost():
        Failing()
    assert told == ["in a finaliser"]
