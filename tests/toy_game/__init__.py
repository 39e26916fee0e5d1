"""A sixth game, as small as one can be: `rules` and `games` are its two packages.

In the house they would be `scoring.rules.fifty` and `scoring.games.fifty`.
"""
