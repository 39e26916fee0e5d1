"""Before the first round: proposals for a night, its settings, its list of players."""
