"""Small finite fields, the arithmetic of the designs.

The elements of a field of q = p^m are the numbers 0 to q-1; written in base p, their
digits are the coefficients of a polynomial.
"""

from functools import cache
from itertools import product


def prime_and_exponent(number: int) -> tuple[int, int] | None:
    """Return (p, m) with p^m the number and p a prime; None for any other number.

    >>> prime_and_exponent(27), prime_and_exponent(50)
    ((3, 3), None)
    """
    if number < 2:
        return None
    prime = next(p for p in range(2, number + 1) if number % p == 0)
    power = 0
    while number % prime == 0:
        number //= prime
        power += 1
    return (prime, power) if number == 1 else None


class FiniteField:
    """The field with q elements, q a prime power."""

    def __init__(self, order: int) -> None:
        """Build the field. Raises ValueError if the order is not a prime power."""
        factors = prime_and_exponent(order)
        if factors is None:
            raise ValueError(f"there is no field of {order} elements")
        self.order = order
        self.prime, self.degree = factors
        self._modulus = _monic_irreducible_polynomial(self.prime, self.degree)

    def _to_digits(self, element: int) -> list[int]:
        digits = []
        for _place in range(self.degree):
            element, digit = divmod(element, self.prime)
            digits.append(digit)
        return digits

    def _from_digits(self, digits: list[int]) -> int:
        number = 0
        for digit in reversed(digits):
            number = number * self.prime + digit % self.prime
        return number

    def add(self, first: int, second: int) -> int:
        pairs = zip(self._to_digits(first), self._to_digits(second), strict=True)
        return self._from_digits([a + b for a, b in pairs])

    def negate(self, element: int) -> int:
        """Return the additive inverse of an element."""
        return self._from_digits([-digit for digit in self._to_digits(element)])

    def multiply(self, first: int, second: int) -> int:
        first_digits, second_digits = self._to_digits(first), self._to_digits(second)
        digits = [0] * (2 * self.degree - 1)
        for i, a in enumerate(first_digits):
            for j, b in enumerate(second_digits):
                digits[i + j] += a * b
        for place in range(len(digits) - 1, self.degree - 1, -1):
            factor = digits[place] % self.prime
            for lower, coefficient in enumerate(self._modulus):
                digits[place - self.degree + lower] -= factor * coefficient
        return self._from_digits(digits[: self.degree])

    def find_primitive_element(self) -> int:
        """Return a generator: its powers are all elements except 0."""
        return next(
            element
            for element in range(1, self.order)
            if len(self.list_distinct_powers(element)) == self.order - 1
        )

    def list_distinct_powers(self, element: int) -> list[int]:
        """Return the element's powers from the 0th on, until the first that repeats."""
        power, powers = 1, list[int]()
        while power not in powers:
            powers.append(power)
            power = self.multiply(power, element)
        return powers


@cache
def _monic_irreducible_polynomial(prime: int, degree: int) -> tuple[int, ...]:
    """Return the polynomial's coefficients, lowest first; the last one is 1."""
    if degree == 1:
        return (0, 1)
    return next(
        (*lower, 1)
        for lower in product(range(prime), repeat=degree)
        if not any(
            _divides_polynomial((*factor, 1), (*lower, 1), prime)
            for size in range(1, degree // 2 + 1)
            for factor in product(range(prime), repeat=size)
        )
    )


def _divides_polynomial(
    factor: tuple[int, ...], whole: tuple[int, ...], prime: int
) -> bool:
    remainder = list(whole)
    for place in range(len(remainder) - len(factor), -1, -1):
        lead = remainder[place + len(factor) - 1]
        for offset, coefficient in enumerate(factor):
            remainder[place + offset] = (
                remainder[place + offset] - lead * coefficient
            ) % prime
    return not any(remainder)
