"""Who sits where: pure functions."""
