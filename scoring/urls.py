"""Addresses of the scorepad."""

from django.urls import URLPattern, URLResolver, include, path, register_converter

from scoring import views

app_name = "scoring"


class Address:
    """The address of a match: letters and digits that every column keeps."""

    regex = r"[0-9A-Za-z_-]{1,22}"

    def to_python(self, value: str) -> str:
        """Return the address."""
        return value

    def to_url(self, value: str) -> str:
        """Return the address."""
        return value


register_converter(Address, "address")

# /m/<address>/hands/
hand_urls: list[URLPattern] = [
    path("new/", views.hand_new, name="hand_new"),
    path("<int:number>/", views.hand, name="hand"),
    path("<int:number>/correct/", views.hand_correct, name="hand_correct"),
    path("<int:number>/void/", views.hand_void, name="hand_void"),
    path("<int:number>/restore/", views.hand_restore, name="hand_restore"),
]

# /m/<address>/
match_urls: list[URLPattern | URLResolver] = [
    path("", views.match, name="match"),
    path("live/", views.match_live, name="match_live"),
    path("notices/", views.match_notices, name="match_notices"),
    path("sit/", views.match_sit, name="match_sit"),
    path("seats/", views.match_seats, name="match_seats"),
    path("preview/", views.hand_preview, name="hand_preview"),
    path("rematch/", views.match_rematch, name="match_rematch"),
    path("qr.svg", views.match_qr, name="match_qr"),
    path("record.json", views.match_record, name="match_record"),
    path("hands/", include(hand_urls)),
]

urlpatterns = [
    path("", views.home, name="home"),
    path("matches/new/", views.match_new, name="match_new"),
    path("m/<address:address>/", include(match_urls)),
]
