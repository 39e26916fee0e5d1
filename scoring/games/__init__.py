"""What a game needs in addition to its rules: forms, keys, words, examples, legal random play.

One package a game, all of one shape: `GAME` in its `__init__` is a `TableGame`, which
says in one place what the game has; what it leaves out has a default. The rest of the
house asks the `registry` and knows no game by name. No game imports another. Nothing
here decides what a hand is worth (that is `scoring.rules`), and nothing but the board of
Tricks and Treats reads or writes what is stored.
"""
