"""Seasons, leaderboards, records."""
