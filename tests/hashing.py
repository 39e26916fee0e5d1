"""Password hasher of the tests."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class FewRounds(PBKDF2PasswordHasher):
    """The site's hasher with fewer rounds: the usual number is slow on purpose."""

    iterations = 1_000
