# Names and parameters are PySpark's.
# ruff: noqa: N802, N803
"""`Sampling`: the samples that PySpark takes of an RDD, the same ones for the same seed."""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from itertools import accumulate, pairwise
from typing import Any

from tallystick.streaming.engines.local.actions import Function


class Sampling:
    """The samples of an RDD; `self` is one."""

    def sample(self: Any, withReplacement: bool, fraction: float, seed: int | None = None) -> Any:
        """The same sample as PySpark's for the same seed; without one, of Python's random numbers."""
        if not fraction >= 0:
            raise ValueError("Fraction must be nonnegative.")
        return self._sampled(withReplacement, lambda _: fraction, seed)

    def _sampled(self: Any, again: bool, fraction_of: Function, seed: int | None) -> Any:
        start = random.randint(0, 2**32 - 1) if seed is None else seed

        def chosen(k: int, part: Iterable[Any]) -> Iterable[Any]:
            numbers = _numbers(start, k)
            for record in part:
                fraction = fraction_of(record)
                times = _poisson(numbers, fraction) if again else int(numbers.random() < fraction)
                yield from [record] * times

        return self.mapPartitionsWithIndex(chosen, True)

    def randomSplit(self: Any, weights: Sequence[float], seed: int | None = None) -> list[Any]:
        """The same parts as PySpark's for the same seed."""
        if not all(weight >= 0 for weight in weights):
            raise ValueError("Weights must be nonnegative")
        total = float(sum(weights))
        if not total > 0:
            raise ValueError("Sum of weights must be positive")
        ends = list(accumulate((weight / total for weight in weights), initial=0.0))
        start = random.randint(0, 2**32 - 1) if seed is None else seed

        def between(low: float, high: float) -> Function:
            def chosen(k: int, part: Iterable[Any]) -> Iterable[Any]:
                numbers = _numbers(start, k)
                return (record for record in part if low <= numbers.random() < high)

            return chosen

        return [self.mapPartitionsWithIndex(between(*ends), True) for ends in pairwise(ends)]

    def sampleByKey(self: Any, withReplacement: bool, fractions: dict[Any, float], seed: int | None = None) -> Any:
        """The same sample as PySpark's for the same seed."""
        for fraction in fractions.values():
            assert fraction >= 0.0, f"Negative fraction value: {fraction}"
        return self._sampled(withReplacement, lambda pair: fractions[pair[0]], seed)


def _numbers(seed: int, partition: int) -> random.Random:
    """Return random numbers as PySpark's samplers make them for a partition."""
    numbers = random.Random(seed ^ partition)
    for _ in range(10):
        numbers.randint(0, 1)
    return numbers


def _poisson(numbers: random.Random, mean: float) -> int:
    """Draw as PySpark's sampler does: by the product of uniform numbers, or by waiting times for a large mean."""
    if mean < 20.0:
        limit, product, count = math.exp(-mean), 1.0, 0
        while product > limit:
            product *= numbers.random()
            count += 1
        return count - 1
    waited, count = numbers.expovariate(mean), 0
    while waited < 1.0:
        count += 1
        waited += numbers.expovariate(mean)
    return count
