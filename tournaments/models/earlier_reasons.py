"""Templates and words of reasons stored by earlier releases, each with its replacement."""

from collections.abc import Mapping

_BY_TIE_BREAK = {
    "%(value)s against %(other)s": "%(value)s to %(other)s",
    "%(value)s beaten against %(other)s": "%(value)s beaten to %(other)s",
    "%(value)s without the best and the worst table against %(other)s": (
        "more points without the best and worst table (%(value)s to %(other)s)"
    ),
    "%(value)s without the worst table against %(other)s": (
        "more points without the worst table (%(value)s to %(other)s)"
    ),
    "Sonneborn-Berger %(value)s against %(other)s": (
        "better Sonneborn-Berger (%(value)s to %(other)s)"
    ),
    "best table %(value)s against %(other)s": "best table %(value)s to %(other)s",
    "between themselves %(value)s against %(other)s": (
        "better head to head (%(value)s to %(other)s)"
    ),
    "lot %(value)s against %(other)s": (
        "ahead in the tie-break draw (%(value)s to %(other)s)"
    ),
    "margin %(value)s against %(other)s": "better margin (%(value)s to %(other)s)",
    "opponents' average %(value)s against %(other)s": (
        "tougher opponents (%(value)s to %(other)s)"
    ),
    "opponents' average over all tables %(value)s against %(other)s": (
        "tougher opponents across all tables (%(value)s to %(other)s)"
    ),
    "parts of the best score %(value)s against %(other)s": (
        "higher share of the best scores (%(value)s to %(other)s)"
    ),
    "parts of the table's score %(value)s against %(other)s": (
        "higher share of all points (%(value)s to %(other)s)"
    ),
    "place %(value)s against %(other)s at the last table": (
        "better rank at the last table (%(value)s to %(other)s)"
    ),
    "table %(value)s against table %(other)s in the last round": (
        "better table in the last round (%(value)s to %(other)s)"
    ),
}
REPLACED: Mapping[str, str] = {
    "%(points)s against %(others)s": "%(points)s to the next player’s %(others)s",
    "equal with %(player)s on %(points)s and in every tie-break": (
        "tied with %(player)s on %(points)s and every tie-break"
    ),
    "level with %(player)s in this stage; rank %(rank)s before it against %(other)s": (
        "tied with %(player)s in this stage, "
        "ranked higher in the previous one (%(rank)s to %(other)s)"
    ),
    "point of the game": "match point",
    "points of the game": "match points",
} | {
    f"equal with %(player)s on %(points)s; {earlier}": (
        f"tied with %(player)s on %(points)s, {now}"
    )
    for earlier, now in _BY_TIE_BREAK.items()
}
