"""Forms of the scorepad that are of no one game: a new match, a seat, a reason."""

from scoring.web.forms.matches import NewMatchForm, ReasonForm, SeatForm

__all__ = ["NewMatchForm", "ReasonForm", "SeatForm"]
