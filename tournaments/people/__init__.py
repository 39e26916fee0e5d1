"""Clubs and their people: members, roles, players, and the data stored about them."""
