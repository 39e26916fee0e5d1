"""Run a night automatically: announce each step, then do it.

It reads the state of a tournament and calls the same functions as a director. It never makes
the decisions of people: settling a dispute, choosing between two versions of a hand, leaving a
player out. In that case it waits and gives the reason.
"""
