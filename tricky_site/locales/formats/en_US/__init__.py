"""English of the United States."""
