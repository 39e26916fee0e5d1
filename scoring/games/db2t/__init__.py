"""DB2T at the table and on screens."""

from scoring.games.db2t.table import DB2TTable

GAME = DB2TTable()
