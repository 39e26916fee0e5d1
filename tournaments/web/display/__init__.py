"""Pages for the projector and the printer."""
