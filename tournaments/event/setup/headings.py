"""Headings of lists in the languages of clubs, and the columns of names below them."""

import re
from collections.abc import Collection, Sequence
from unicodedata import category, normalize

TITLE_LINES = 15
"""First lines that are searched for headings: clubs put a title above them."""
NAMES = (
    *("name", "names", "namen", "noms", "nombres", "spielername", "namensliste"),
    *("player", "players", "participant", "participants", "attendees", "entrants"),
    *("spieler", "spielerin", "spielerinnen", "spielers", "spielende", "mitspieler"),
    *("mitspielerin", "mitspielende", "spielerliste", "teilnehmer", "teilnehmerin"),
    *("teilnehmerinnen", "teilnehmende", "teilnehmern", "teilnehmerliste"),
    *("anwesende", "angemeldete", "anmeldungen", "anmeldeliste", "zusagen"),
    *("joueur", "joueuse", "joueurs", "joueuses", "participante", "participantes"),
    *(
        "inscrit",
        "inscrits",
        "inscrites",
        "inscriptions",
        "présents",
        "jugador",
        "jugadora",
    ),
    *("jugadores", "jugadoras", "inscritos", "inscritas", "asistentes"),
    *("members", "mitglieder", "membres", "miembros", "socios"),
)
"""Headings of whole names."""
DATES = (
    *("date", "day", "datum", "tag", "spieldatum", "termin", "jour", "fecha", "día"),
    *("timestamp", "zeitstempel", "horodateur", "marca temporal", "when", "wann"),
    *("date/time", "date and time", "datum/uhrzeit", "datum und uhrzeit"),
)
FIRST_NAMES = (
    *("first name", "firstname", "given name", "forename", "vorname", "rufname"),
    *("prénom", "prenom", "prénoms", "nombre", "nombre de pila"),
)
FAMILY_NAMES = (
    *("last name", "lastname", "surname", "family name", "nachname", "familienname"),
    *("zuname", "nom", "nom de famille", "apellido", "apellidos"),
)
OTHERS = frozenset(
    (
        *("no", "number", "nr", "nummer", "lfd nr", "num", "numéro", "n°", "nº", "#"),
        *("número", "id", "startnummer", "seat", "sitz", "siège", "asiento"),
        *("phone", "telephone", "mobile", "tel", "telefon", "handy"),
        *("téléphone", "portable", "teléfono", "móvil", "telefonnummer", "handynummer"),
        *("email", "e-mail", "mail", "courriel", "correo", "correo electrónico"),
        *("club", "verein", "association", "asociación", "team", "mannschaft"),
        *("équipe", "equipo", "city", "town", "ort", "wohnort", "stadt", "ville"),
        *("ciudad", "address", "adresse", "dirección", "country", "land", "pays"),
        *("país", "birthday", "geburtstag", "geburtsdatum", "note", "notes"),
        *("remark", "remarks", "comment", "bemerkung", "bemerkungen", "notiz"),
        *("kommentar", "remarque", "remarques", "nota", "notas", "comentario"),
        *("fee", "beitrag", "startgeld"),
        *("date", "datum", "fecha", "points", "punkte", "puntos", "rank", "rang"),
        *("platz", "puesto", "rating", "status", "role", "rolle"),
    )
)
"""Headings of columns without names."""
SUMS = frozenset(
    (
        *("total", "totals", "grand total", "subtotal", "sum", "average", "players"),
        *("summe", "summen", "gesamt", "gesamtsumme", "zwischensumme", "anzahl"),
        *("schnitt", "durchschnitt", "mittelwert", "teilnehmer", "teilnehmerzahl"),
        *("participants", "somme", "moyenne", "sous-total"),
        *("suma", "promedio", "participantes", ""),
    )
)
"""Headings of lines and columns with totals instead of a player's values."""
SUMS_AND_NAMES = frozenset({"total", "sum", "suma"})
"""Headings of totals that can also be a person's name."""
JOINING_WORDS = frozenset(
    (
        *("and", "of", "the", "full", "first", "last", "list", "tonight", "today"),
        *("und", "der", "des", "vor", "liste", "heute", "abend", "vollständiger"),
        *("et", "du", "de", "des", "le", "les", "la", "complet"),
        *("y", "del", "el", "los", "las", "lista", "completo"),
    )
)
"""Words next to those for names in a heading, as in “Name des Spielers”."""
NAME_WORDS = frozenset(
    word for word in (*NAMES, *FIRST_NAMES, *FAMILY_NAMES) if " " not in word
)
OTHER_GENDERS = re.compile(
    r"(?<=[^\W\d_])(?:[/*:_·•.(-]+(?:innen|in|euses?|ses?|rices?|nes?|es?|as?|s)\b\)*)+s?(?!\w)"
)
"""Endings as in “Spieler/in”, “Teilnehmer*innen”, “Participant(e)s”, “Inscrit·e·s”."""


def heading_key(heading: str) -> str:
    """Return a heading in the normalized form used by the sets of this module.

    >>> heading_key(" Spieler/in: "), heading_key("Lfd. Nr."), heading_key("Participant(e)s")
    ('spieler', 'lfd nr', 'participant')
    """
    text = " ".join(normalize("NFC", heading).casefold().split()).strip(".: ")
    return OTHER_GENDERS.sub("", text).replace(". ", " ")


def is_name_heading(key: str) -> bool:
    """Return whether a heading, given by its key, is one of whole names.

    >>> [is_name_heading(key) for key in ("player", "nom et prénom", "name der runde")]
    [True, True, False]
    """
    words = re.findall(r"\w+", key)
    has_only_known_words = all(
        word in NAME_WORDS or word in JOINING_WORDS for word in words
    )
    return key in NAMES or (
        has_only_known_words and any(word in NAME_WORDS for word in words)
    )


def is_totals_heading(name: str) -> bool:
    """Return whether a line or column with this heading holds totals.

    >>> is_totals_heading("Summe:"), is_totals_heading("Ø"), is_totals_heading("Ann")
    (True, True, False)
    """
    return name != "" and name.strip(" :Σ∑Ø").casefold() in SUMS


def find_name_columns(
    heads: Sequence[str], rows_below: Collection[Sequence[str]]
) -> tuple[int, ...]:
    """Return the columns of names by their headings; empty if no heading is one of names.

    The result is one column of whole names, or those of first and family names. A column
    without names below its heading is left out unless all of them are empty.
    """
    keys = [heading_key(head) for head in heads]
    first = [column for column, key in enumerate(keys) if key in FIRST_NAMES]
    family = [column for column, key in enumerate(keys) if key in FAMILY_NAMES]
    whole = [
        column
        for column, key in enumerate(keys)
        if column not in (*first, *family) and is_name_heading(key)
    ]
    # “Player” next to “Name” is a number.
    with_names = [column for column in whole if has_mostly_names(rows_below, column)]
    whole = with_names or whole
    if first and (family or whole):
        return first[0], (family or whole)[0]
    return tuple((whole or family or first)[:1])


def has_mostly_names(rows: Collection[Sequence[str]], column: int) -> bool:
    """Return whether most cells of a column can be names, if it has any.

    >>> has_mostly_names([["1"], ["Ann"], ["Bo"]], 0), has_mostly_names([["1"], ["ann@a.org"]], 0)
    (True, False)
    """
    cells = [
        row[column].strip() for row in rows if column < len(row) and row[column].strip()
    ]
    name_cells = [
        cell
        for cell in cells
        if "@" not in cell
        and any(letter.isalpha() or category(letter) == "So" for letter in cell)
    ]
    return 2 * len(name_cells) > len(cells)
