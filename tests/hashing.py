"""How passwords are kept while tests run."""

from django.contrib.auth.hashers import PBKDF2PasswordHasher


class FewRounds(PBKDF2PasswordHasher):
    """As the site keeps them, but soon done: its rounds are to take long, at each sign-in."""

    iterations = 1_000
