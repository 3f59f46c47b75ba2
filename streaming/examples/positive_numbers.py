"""Example 3: an output of numbers above zero, and timestamps that grow."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tallystick.streaming import always, at, batches, bind, for_each_record, now
from tallystick.streaming.examples.example import Example


def positive_numbers(numbers: Any) -> Any:
    """The right program."""
    return numbers.filter(lambda number: number > 0)


def not_negative(numbers: Any) -> Any:
    """A fault: it lets zero pass."""
    return numbers.filter(lambda number: number >= 0)


def absolute(numbers: Any) -> Any:
    """A fault: it changes numbers instead of leaving them out."""
    return numbers.map(abs)


def example_3() -> Example:
    """φ₁ = □₁₀ all outputs > 0, and φ₂ = □₉ λ.λ.o₁ ≤ o₂."""
    generator = batches.always(batches.of_n_to_m(0, 5, st.integers(-9, 9)), 10)
    all_positive = always(at("output", for_each_record(lambda number: number > 0))).during(10)
    time_grows = always(
        bind(lambda _, time: now(lambda _, next_time: time <= next_time), needs=1, name="time grows")
    ).during(9)
    faults = {"not negative": not_negative, "absolute": absolute}
    return Example("positiveNumbers", "Example 3", generator, positive_numbers, all_positive & time_grows, faults)
