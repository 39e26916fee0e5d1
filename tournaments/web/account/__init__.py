"""Accounts: sign-in, security, API keys."""
