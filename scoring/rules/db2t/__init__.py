"""DB2T, trick-taking with dice as a way to decide a contest."""

from scoring.rules.db2t.game import DB2T

GAME = DB2T()
