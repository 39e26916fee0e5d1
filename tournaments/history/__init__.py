"""The history of finished tournaments: results, seasons, leaderboards, statistics and records.

All of it is derived from the tournaments' results and can be rebuilt at any time. This package
does not depend on pages, and does not change tournaments.
"""
