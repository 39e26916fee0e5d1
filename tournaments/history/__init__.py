"""What stays of tournaments that are over: results, seasons, leaderboards, statistics, records.

Derived from the event's results and rebuilt from them at any time. Nothing here knows of pages,
or changes a tournament.
"""
