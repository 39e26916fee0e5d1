"""What browsers are told with every answer, and how cookies are set where https is spoken."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

PAGES = ("/", "/clubs/", "/matches/new/", "/accounts/login/", "/nowhere/", "/healthz")
BEHIND_A_PROXY = """
import json, django
django.setup()
from django.conf import settings
from django.test import Client
client = Client()
answer = client.get("/healthz", secure=True, headers={"host": "localhost"})
plain = client.get("/clubs/", headers={"host": "localhost"})
print(json.dumps({
    "hsts": answer.headers.get("Strict-Transport-Security"),
    "plain": [plain.status_code, plain.headers.get("Location")],
    "cookies": [settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE],
}))
"""


@pytest.mark.django_db
@pytest.mark.parametrize("path", PAGES)
def test_every_answer_has_the_headers_that_bind_a_browser(
    client: Client, path: str
) -> None:
    headers = client.get(path, headers={"accept": "text/html"}).headers
    policy = headers["Content-Security-Policy"]
    for directive in ("object-src", "base-uri", "frame-ancestors", "default-src"):
        assert f"{directive} 'none'" in policy
    assert "unsafe" not in policy
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "same-origin"
    assert headers["X-Frame-Options"] == "DENY"
    assert "Access-Control-Allow-Origin" not in headers


@pytest.mark.django_db
def test_no_script_reads_the_cookie_of_a_session_and_no_other_site_sends_it() -> None:
    client = Client()
    sent = {"email": "ana@example.org", "password1": "correct horse battery"}
    cookie = client.post(reverse("account_signup"), sent).cookies["sessionid"]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")


@pytest.mark.long(3)
def test_behind_https_cookies_are_secure_and_browsers_stay_there(
    tmp_path: Path,
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", BEHIND_A_PROXY],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "tricky_site.settings",
            "TRICKY_HTTPS": "1",
            "TRICKY_VAR": str(tmp_path / "var"),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    sent = json.loads(ran.stdout)
    assert sent["hsts"] == "max-age=31536000; includeSubDomains; preload"
    assert sent["plain"] == [301, "https://localhost/clubs/"]
    assert sent["cookies"] == [True, True]


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
def test_with_an_authority_of_its_own_cookies_are_for_https_and_plain_http_stays_open(
    tmp_path: Path,
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", WITH_AN_AUTHORITY],
        cwd=settings.BASE_DIR,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "tricky_site.settings",
            "HTTPS_PORT": "8443",
            "TRICKY_VAR": str(tmp_path / "var"),
        },
        capture_output=True,
        text=True,
        check=True,
    )
    sent = json.loads(ran.stdout)
    assert sent["cookies"] == [
        *("__Host-sessionid", "__Host-csrftoken", "__Host-language")
    ]
    assert sent["secure"] == [True, True, True]
    assert sent["hsts"] is None
    assert sent["believes"] == [None, 0]


@pytest.mark.django_db
@pytest.mark.parametrize("wanted", ["https://evil.example/", "//evil.example/"])
def test_a_sign_in_leads_to_no_other_site(wanted: str) -> None:
    sent = {"email": "ana@example.org", "password1": "correct horse battery"}
    answer = Client().post(reverse("account_signup"), {**sent, "next": wanted})
    assert answer.headers["Location"] == reverse("tournaments:clubs")
