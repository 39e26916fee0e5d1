"""Hand entry: one form a game, each turning a posted page into a raw hand and back."""

from collections.abc import Mapping

from scoring.forms.db2t import DB2TForm
from scoring.forms.entry import EntryForm
from scoring.forms.matches import NewMatchForm, ReasonForm, SeatForm, player_named
from scoring.forms.tricks_and_treats import TricksAndTreatsForm
from scoring.forms.tricky import TrickyForm
from scoring.forms.tricky_bid import TrickyBidForm
from scoring.forms.tricky_dice import TrickyDiceForm

ENTRY_FORMS: Mapping[str, type[EntryForm]] = {
    "tricky": TrickyForm,
    "tricky_dice": TrickyDiceForm,
    "tricky_bid": TrickyBidForm,
    "tricks_and_treats": TricksAndTreatsForm,
    "db2t": DB2TForm,
}

__all__ = [
    "ENTRY_FORMS",
    "EntryForm",
    "NewMatchForm",
    "ReasonForm",
    "SeatForm",
    "player_named",
]
