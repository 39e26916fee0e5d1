"""DB2T at the table and on screens."""

from scoring.games.db2t.table import DB2TTableGame

GAME = DB2TTableGame()
