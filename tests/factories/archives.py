"""Archives of clubs, and a server without the data of a club."""

from io import BytesIO
from uuid import uuid4

from scoring.models import Match
from scoring.models.matches import new_address
from tournaments.files.archive.writing import export_club
from tournaments.models import Appointment, Club, Import, Tournament


def build_archive(club: Club) -> bytes:
    file = BytesIO()
    export_club(club, file)
    return file.getvalue()


def change_unique_values(club: Club) -> None:
    """Change all unique values of a club, so that its archive can be imported as if on another server."""
    Club.objects.filter(pk=club.pk).update(slug=f"was-{club.pk}")
    for model in (Tournament, Match, Appointment):
        for row in model.objects.all():
            changed: dict[str, object] = {"address": new_address()}
            if model is Match:
                changed["key"] = uuid4()
            if model is Tournament:
                changed["code"] = f"x{row.pk:07}"
            model.objects.filter(pk=row.pk).update(**changed)
    for import_ in Import.objects.all():
        Import.objects.filter(pk=import_.pk).update(key=uuid4())
