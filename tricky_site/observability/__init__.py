"""What a host watches: lines of the log, figures, readiness, and what broke. It knows no page and no rule."""
