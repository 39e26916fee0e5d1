"""The parts of a game outside its rules: forms, keys, words, examples, legal random play.

Each game is a package with the same structure: `GAME` in its `__init__` is a `TableGame`
that declares the parts of the game; every part has a default. The rest of the code uses
the `registry` and never names a game. No game imports another. Scores are computed only
in `scoring.rules`, and only the board of Tricks and Treats reads or writes the database.
"""
