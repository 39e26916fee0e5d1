"""Match results to points to ranked standings: pure functions."""
