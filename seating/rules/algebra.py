"""Small finite groups and fields, written as addition and multiplication tables over 0..n-1."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from math import prod


@dataclass(frozen=True)
class Ring:
    """Elements 0..n-1 with what they add up and multiply to."""

    add: tuple[tuple[int, ...], ...]
    multiply: tuple[tuple[int, ...], ...]

    @property
    def order(self) -> int:
        """Count the elements."""
        return len(self.add)


def modular(order: int) -> Ring:
    """Return the whole numbers modulo the order."""
    return _ring(range(order), lambda a, b: (a + b) % order, lambda a, b: a * b % order)


def _ring(
    elements: Sequence[int], add: Callable[[int, int], int], multiply: Callable[[int, int], int]
) -> Ring:
    return Ring(
        tuple(tuple(add(a, b) for b in elements) for a in elements),
        tuple(tuple(multiply(a, b) for b in elements) for a in elements),
    )


def prime_powers(number: int) -> list[tuple[int, int]]:
    """Split a number into its primes with their exponents, ascending."""
    powers = []
    prime = 2
    while number > 1:
        exponent = 0
        while number % prime == 0:
            number //= prime
            exponent += 1
        if exponent:
            powers.append((prime, exponent))
        prime += 1
    return powers


@cache
def field(prime: int, exponent: int) -> Ring:
    """Return the field of prime ** exponent elements; an element's digits to the base prime are its coefficients."""
    if exponent == 1:
        return modular(prime)
    order = prime**exponent
    powers = next(filter(None, (_powers(prime, tail) for tail in _tails(prime, exponent))))
    logarithm = {element: power for power, element in enumerate(powers)}

    def add(a: int, b: int) -> int:
        return sum(
            (a // prime**place + b // prime**place) % prime * prime**place for place in range(exponent)
        )

    def multiply(a: int, b: int) -> int:
        return powers[(logarithm[a] + logarithm[b]) % (order - 1)] if a and b else 0

    return _ring(range(order), add, multiply)


def _tails(prime: int, exponent: int) -> Iterator[tuple[int, ...]]:
    return product(range(prime), repeat=exponent)


def _powers(prime: int, tail: tuple[int, ...]) -> tuple[int, ...]:
    """List the powers of x where x ** exponent is the tail; nothing unless they reach every element but 0."""
    if tail[0] == 0:
        return ()
    element = [1] + [0] * (len(tail) - 1)
    found: list[int] = []
    for _ in range(prime ** len(tail) - 1):
        number = sum(digit * prime**place for place, digit in enumerate(element))
        if number == 0 or number in found[:1]:
            return ()
        found.append(number)
        carried = element[-1]
        element = [
            (low + carried * digit) % prime for low, digit in zip([0, *element[:-1]], tail, strict=True)
        ]
    return tuple(found)


def product_ring(rings: Sequence[Ring]) -> Ring:
    """Join rings to one that adds and multiplies part by part; the first ring's part counts least."""
    sizes = [ring.order for ring in rings]

    def parts(element: int) -> list[int]:
        digits = []
        for size in sizes:
            element, digit = divmod(element, size)
            digits.append(digit)
        return digits

    def whole(digits: Sequence[int]) -> int:
        number = 0
        for size, digit in zip(reversed(sizes), reversed(digits), strict=True):
            number = number * size + digit
        return number

    split = [parts(element) for element in range(prod(sizes))]

    def add(a: int, b: int) -> int:
        return whole([ring.add[x][y] for ring, x, y in zip(rings, split[a], split[b], strict=True)])

    def multiply(a: int, b: int) -> int:
        return whole([ring.multiply[x][y] for ring, x, y in zip(rings, split[a], split[b], strict=True)])

    return _ring(range(prod(sizes)), add, multiply)


@cache
def group(*cycles: int) -> tuple[tuple[int, ...], ...]:
    """Return the addition table of a product of cyclic groups; the first cycle counts least."""
    return product_ring([modular(order) for order in cycles]).add


def splittings(order: int) -> list[tuple[int, ...]]:
    """Name the cyclic group of an order and, where it differs, the most split one."""
    split = tuple(prime for prime, exponent in prime_powers(order) for _ in range(exponent))
    kinds: list[tuple[int, ...]] = [(order,)]
    if any(exponent > 1 for _, exponent in prime_powers(order)):
        kinds.append(split)
    return kinds
