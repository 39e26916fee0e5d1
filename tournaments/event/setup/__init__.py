"""Before the first round: what a night could look like, its settings, its list of players."""
