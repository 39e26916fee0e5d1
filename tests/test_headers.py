"""Security headers of every response, and attributes of cookies over HTTPS."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import Context
from django.test import Client, RequestFactory
from django.urls import reverse
from whitenoise import WhiteNoise

from scoring.templatetags.parts import THEME_COOKIES, chosen_theme
from tests.processes import read_output

PAGES = ("/", "/clubs/", "/matches/new/", "/accounts/login/", "/nowhere/", "/healthz")
API_PATHS = ("/api/v1/clubs", "/api/v1/openapi.json")
PRIVATE_PATHS = (
    *("/.git/HEAD", "/.git/config", "/.env", "/manage.py", "/var/tricky.sqlite3"),
    *(
        "/static/",
        "/static/scoring/",
        "/static/../manage.py",
        "/docs/reference/security.md",
    ),
)
BEHIND_A_PROXY = """
import json, django
django.setup()
from django.conf import settings
from django.test import Client
from scoring import phone_memory
from tournaments.web.club import followed
from tricky_site.storage import messages
client = Client()
answer = client.get("/healthz", secure=True, headers={"host": "localhost"})
plain = client.get("/clubs/", headers={"host": "localhost"})
call = client.get("/api/v1/clubs", headers={"host": "localhost"})
spoken = client.post("/language/", {"language": "de"}, secure=True, headers={"host": "localhost"})
print(json.dumps({
    "hsts": answer.headers.get("Strict-Transport-Security"),
    "plain": [plain.status_code, plain.headers.get("Location")],
    "call": [call.status_code, call.headers["Content-Type"], call.json()["detail"]],
    "cookies": [settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE],
    "names": [
        *(getattr(settings, name) for name in dir(settings) if name.endswith("COOKIE_NAME")),
        messages.HostCookieStorage.cookie_name,
        followed.COOKIE, phone_memory.COOKIE,
    ],
    "set": [
        {"name": each.key, "secure": each["secure"], "path": each["path"], "domain": each["domain"]}
        for each in spoken.cookies.values()
    ],
}))
"""


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_every_response_has_security_headers(client: Client, path: str) -> None:
    headers = client.get(path, headers={"accept": "text/html"}).headers
    policy = headers["Content-Security-Policy"]
    for directive in ("object-src", "base-uri", "frame-ancestors", "default-src"):
        assert f"{directive} 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.django_db
def test_session_cookie_is_http_only_and_same_site() -> None:
    client = Client()
    form_fields = {"email": "ana@example.org", "password1": "correct horse battery"}
    cookie = client.post(reverse("account_signup"), form_fields).cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


def run_probe(code: str, folder: Path, **settings: str) -> dict[str, Any]:
    environment = {
        "DJANGO_SETTINGS_MODULE": "tricky_site.settings",
        "TRICKY_VAR": str(folder),
    }
    result: dict[str, Any] = json.loads(
        read_output(sys.executable, "-c", code, **environment, **settings)
    )
    return result


@pytest.fixture(scope="module")
def behind_https(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the responses of a site behind an HTTPS proxy."""
    return run_probe(
        BEHIND_A_PROXY, tmp_path_factory.mktemp("https") / "var", TRICKY_HTTPS="1"
    )


@pytest.mark.long(3)
def test_https_sets_secure_cookies_and_hsts(
    behind_https: dict[str, Any],
) -> None:
    assert behind_https["hsts"] == "max-age=31536000; includeSubDomains; preload"
    assert behind_https["plain"] == [301, "https://localhost/clubs/"]
    assert behind_https["cookies"] == [True, True]


@pytest.mark.long(3)
def test_https_cookies_have_the_host_prefix(
    behind_https: dict[str, Any],
) -> None:
    assert {name.partition("-")[0] for name in behind_https["names"]} == {"__Host"}
    assert len(behind_https["set"]) == 1
    for cookie in behind_https["set"]:
        assert cookie["name"].startswith("__Host-"), cookie
        assert (cookie["secure"], cookie["path"], cookie["domain"]) == (True, "/", "")


COOKIE_SOURCES = {
    ("scoring/phone_memory.py", "COOKIE"),
    ("tournaments/web/club/followed.py", "COOKIE"),
    # By settings.LANGUAGE_COOKIE_NAME and settings.TIME_ZONE_COOKIE_NAME.
    ("tricky_site/http/middleware.py", "name"),
}
"""Places that set cookies, with the name of each; `BEHIND_A_PROXY` prints all of them."""
SETS_COOKIE = re.compile(r"\.set_(?:signed_)?cookie\(\s*([\w.]+)")


def test_every_cookie_in_the_code_is_listed() -> None:
    root = Path(settings.BASE_DIR)
    cookies_set = {
        (str(file.relative_to(root)), name)
        for package in ("scoring", "tournaments", "tricky_site")
        for file in (root / package).rglob("*.py")
        for name in SETS_COOKIE.findall(file.read_text())
    }
    assert cookies_set == COOKIE_SOURCES
    scripts = [
        file.name
        for package in ("scoring", "tournaments")
        for file in (root / package / "js").rglob("*.js")
        if re.search(r"document\.cookie\s*=[^=]", file.read_text())
    ]
    assert scripts == ["theme.js"]


def test_server_and_script_use_the_same_theme_cookies() -> None:
    for name in THEME_COOKIES:
        request = RequestFactory().get("/")
        request.COOKIES[name] = "dark"
        assert chosen_theme(Context({"request": request})) == "dark"
        request.COOKIES[name] = "pink"
        assert chosen_theme(Context({"request": request})) == ""
    script = Path("scoring/js/theme.js")
    source = (Path(settings.BASE_DIR) / script).read_text()
    assert [name for name in THEME_COOKIES if f'"{name}"' not in source] == []


@pytest.mark.long(3)
def test_api_call_over_plain_http_is_refused_without_redirect(
    behind_https: dict[str, Any],
) -> None:
    status, kind, detail = behind_https["call"]
    assert (status, kind) == (403, "application/problem+json")
    assert "https" in detail


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES + API_PATHS)
def test_trace_is_refused_without_echoing_headers(client: Client, path: str) -> None:
    answer = client.generic("TRACE", path, headers={"x-shown": "a secret"})
    assert answer.status_code == 405
    assert "a secret" not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("path", PRIVATE_PATHS)
def test_directory_listings_and_private_files_are_not_served(
    client: Client, path: str
) -> None:
    assert client.get(path).status_code == 404


def test_image_contains_no_git_history_or_tests() -> None:
    ignored = (Path(settings.BASE_DIR) / ".dockerignore").read_text().splitlines()
    assert {".*", "var", "tests"} <= set(ignored)


WITH_AN_AUTHORITY = """
import json, django
django.setup()
from django.conf import settings
from django.test import Client
forged = {"host": "localhost", "x-forwarded-proto": "https"}
answer = Client().get("/healthz", secure=True, headers=forged)
print(json.dumps({
    "hsts": answer.headers.get("Strict-Transport-Security"),
    "cookies": [settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, settings.LANGUAGE_COOKIE_NAME],
    "secure": [settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE, settings.LANGUAGE_COOKIE_SECURE],
    "believes": [settings.SECURE_PROXY_SSL_HEADER, settings.ALLAUTH_TRUSTED_PROXY_COUNT],
}))
"""


@pytest.mark.long(3)
def test_own_authority_secures_cookies_without_hsts(
    tmp_path: Path,
) -> None:
    result = run_probe(WITH_AN_AUTHORITY, tmp_path / "var", HTTPS_PORT="8443")
    assert result["cookies"] == [
        *("__Host-sessionid", "__Host-csrftoken", "__Host-language")
    ]
    assert result["secure"] == [True, True, True]
    assert result["hsts"] is None
    assert result["believes"] == [None, 0]


@pytest.mark.django_db
@pytest.mark.parametrize("url", ["https://evil.example/", "//evil.example/"])
def test_sign_in_never_redirects_to_another_site(url: str) -> None:
    form_fields = {"email": "ana@example.org", "password1": "correct horse battery"}
    answer = Client().post(reverse("account_signup"), {**form_fields, "next": url})
    assert answer.headers["Location"] == reverse("tournaments:clubs")


def test_static_svg_declares_its_charset(tmp_path: Path) -> None:
    (tmp_path / "peg.svg").write_text("<svg/>")
    whitenoise = WhiteNoise(
        None, root=tmp_path, mimetypes=settings.WHITENOISE_MIMETYPES
    )
    answer = whitenoise.files["/peg.svg"].get_response("HEAD", {})
    assert dict(answer.headers)["Content-Type"] == "image/svg+xml; charset=utf-8"
