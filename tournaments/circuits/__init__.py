"""Circuits: several clubs with one leaderboard.

A circuit reads the histories of its clubs, and adds them up as the history of a club does. Nothing here
knows of pages, or changes a tournament.
"""
