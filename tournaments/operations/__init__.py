"""Everything that changes a tournament: one verb, one transaction each."""
