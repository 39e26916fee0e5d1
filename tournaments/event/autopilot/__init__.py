"""A night that runs itself: what comes next, announced before it is done.

It knows how a tournament stands, and calls what a director would call. It never decides what
people must: a dispute, two versions of a hand, who is left out. Then it waits and says for what.
"""
