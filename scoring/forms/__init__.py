"""Hand entry: one form a game, each turning a posted page into a raw hand and back."""

from collections.abc import Container, Mapping

from scoring.forms.db2t import DB2TForm
from scoring.forms.entry import EntryForm
from scoring.forms.matches import NewMatchForm, ReasonForm, SeatForm, player_named
from scoring.forms.recorded import RECORDED_FORMS, RecordedForm
from scoring.forms.tricks_and_treats import TricksAndTreatsForm
from scoring.forms.tricky import TrickyForm
from scoring.forms.tricky_bid import TrickyBidForm
from scoring.forms.tricky_dice import TrickyDiceForm
from scoring.rules import PLAYED

ENTRY_FORMS: Mapping[str, type[EntryForm]] = {
    "tricky": TrickyForm,
    "tricky_dice": TrickyDiceForm,
    "tricky_bid": TrickyBidForm,
    "tricks_and_treats": TricksAndTreatsForm,
    "db2t": DB2TForm,
}


def form_for(game: str, said: Container[str]) -> type[EntryForm]:
    """Return the form that reads what was said: sums, or pieces where it has some."""
    if PLAYED in said and game in RECORDED_FORMS:
        return RECORDED_FORMS[game]
    return ENTRY_FORMS[game]


__all__ = [
    "ENTRY_FORMS",
    "RECORDED_FORMS",
    "EntryForm",
    "NewMatchForm",
    "ReasonForm",
    "RecordedForm",
    "SeatForm",
    "form_for",
    "player_named",
]
