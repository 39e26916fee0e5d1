"""Clubs and their people: members and roles, players and who they are, what is stored of them."""
