"""What a host watches: the log, errors, readiness and figures."""
