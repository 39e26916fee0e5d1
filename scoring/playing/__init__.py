"""Legal hands played by chance: for the demo, the tests and the measurements.

Pure functions of a match and a `random.Random`: the same seed plays the same hands.
"""

from scoring.playing.match import PLAYERS, play_hand, play_match

__all__ = ["PLAYERS", "play_hand", "play_match"]
