"""Clubs, their teams, circuits and webhooks."""
