"""A tournament for its players and guests."""
