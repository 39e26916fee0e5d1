"""What clubs have together: circuits with one leaderboard.

It reads what the history of each club holds and adds it up as the history does. Nothing here knows
of pages, or changes a tournament.
"""
