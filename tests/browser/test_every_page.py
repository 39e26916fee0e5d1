"""Every page is accessible, has scores of strong contrast, and fits a small screen.

With EVERY_SIZE=1 pages must also fit a phone in landscape, a laptop and a large screen;
SHOTS names a folder for screenshots of them.
"""

import os
import re
from collections.abc import Iterable
from urllib.parse import urlsplit

import pytest
from allauth.mfa.models import Authenticator
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import resolve, reverse
from playwright.sync_api import Browser, Page, ViewportSize, expect

from tests.browser.accessible import assert_accessible, faults_of, find_faint_texts
from tests.browser.club import PASSWORD, use_session
from tests.browser.conftest import Watch
from tests.browser.every_page import NO_PAGES, Examples, patterns
from tests.browser.test_sizes import set_text_size
from tests.factories.tournaments import UserFactory
from tournaments.models import User

SIGNED_OUT_PAGES = [
    "account_login",
    "account_signup",
    "account_inactive",
    "account_email_verification_sent",
    "account_reset_password",
    "account_reset_password_done",
    "account_reset_password_from_key",
    "account_reset_password_from_key_done",
    "account_confirm_email",
]
"""Account pages for signed-out visitors; signed-in users are redirected from most."""
SMALL: ViewportSize = {"width": 320, "height": 568}
LARGE_SIZES: list[ViewportSize] = [
    {"width": 844, "height": 390},
    {"width": 1280, "height": 800},
    {"width": 1920, "height": 1080},
]
SIZES = LARGE_SIZES if os.environ.get("EVERY_SIZE") else []
SHOTS = os.environ.get("SHOTS", "")
FONT_SIZE = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
SCORES = "main .num, .standings td, .sheet td, .sheet tbody th"
FIND_FAULTS = """
  (width) => {
    const root = document.documentElement;
    const primary = [...document.querySelectorAll(".primary")].filter((act) => act.checkVisibility());
    const found = primary.length > 1 ? [`has ${primary.length} main acts`] : [];
    if (root.scrollWidth > width) found.push("is wider than a small screen");
    return found;
  }
"""
"""Returns faults that no page may have."""
PAGES_WITHOUT_PASSKEY = ["mfa_index", "mfa_list_webauthn"]
PAGES_WITHOUT_APP = ["mfa_activate_totp"]
SIGN_IN_PAGES = ["mfa_authenticate"]
PAGES_WITHOUT_PASSWORD = ["account_set_password"]


def excluded_names() -> list[str]:
    return " ".join(NO_PAGES.values()).split()


def test_excluded_patterns_exist_and_are_listed_once() -> None:
    names = excluded_names()
    assert len(names) == len(set(names))
    assert set(names) <= {pattern.name for pattern in patterns()}


def test_post_only_patterns_reject_get() -> None:
    views = {pattern.name: pattern.view for pattern in patterns()}
    request = RequestFactory().get("/")
    for name in NO_PAGES["only posted to"].split():
        if name != "set_language":  # Django's view redirects to the previous page.
            answer: HttpResponse = views[name](request)
            assert answer.status_code == 405, name


def sign_in_by_password(user: User) -> Client:
    """Return a client that has signed in by password; with a second factor that is only the first step."""
    client = Client()
    credentials = {"login": user.email, "password": PASSWORD}
    assert client.post(reverse("account_login"), credentials).status_code == 302
    return client


def director_of(examples: Examples) -> Client:
    """Return the client of the director, who has just re-entered the password and also plays."""
    client = sign_in_by_password(examples.director)
    credentials = {"password": PASSWORD}
    assert (
        client.post(reverse("account_reauthenticate"), credentials).status_code == 302
    )
    session = client.session
    entry = examples.night.entries.order_by("number")[0]
    session["joined"] = {examples.night.address: entry.pk}
    session.save()
    return client


def without_password() -> Client:
    user = UserFactory.create()
    user.set_unusable_password()
    user.save()
    client = Client()
    client.force_login(user)
    return client


def add_passkey(page: Page, examples: Examples) -> None:
    """Give the director a passkey of a virtual device."""
    devices = page.context.new_cdp_session(page)
    devices.send("WebAuthn.enable")
    device = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    devices.send("WebAuthn.addVirtualAuthenticator", {"options": device})
    page.goto(reverse("mfa_add_webauthn"))
    page.locator('[name="name"]').fill("Phone")
    page.get_by_role("button", name="Add passkey").click()
    expect(page).to_have_url(re.compile(reverse("mfa_view_recovery_codes")))
    passkey = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN)
    for name in ("mfa_edit_webauthn", "mfa_remove_webauthn"):
        examples.add(name, {"pk": passkey.pk})


def add_app(examples: Examples) -> None:
    """Give the director an authenticator app."""
    secret = {"secret": "ORSWY3DZEBZWKZLEEBXWMIDDN5SGK4ZB"}
    Authenticator.objects.create(
        user=examples.director, type=Authenticator.Type.TOTP, data=secret
    )


def find_page_faults(
    page: Page, name: str, address: str, *, also_dark: bool
) -> list[str]:
    """Return the faults of a page; another page than the named one is a fault."""
    answer = page.goto(address)
    assert answer is not None
    view_name = resolve(urlsplit(page.url).path).view_name
    if (answer.status, view_name) != (200, name):
        return [f"answers {answer.status} and shows {view_name}: is it a page?"]
    page_faults = page.evaluate(FIND_FAULTS, SMALL["width"])
    set_text_size(page, 2)
    # The projector sets its own font size.
    page.wait_for_function(f"() => {FONT_SIZE} > 20")
    if page.evaluate("document.documentElement.scrollWidth") > SMALL["width"]:
        page_faults.append(
            "is wider than a small screen with letters of twice the size"
        )
    set_text_size(page, 1)
    page.wait_for_function(f"() => {FONT_SIZE} < 24")
    page_faults += [
        f"is wider than {size['width']} px"
        for size in SIZES
        if is_too_wide(page, name, size)
    ]
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        page_faults += [
            f"{theme}: {text}" for text in find_faint_texts(page, SCORES) or ()
        ]
    return [*page_faults, *faults_of(page, also_dark=also_dark)]


def is_too_wide(page: Page, name: str, size: ViewportSize) -> bool:
    """Return whether a page is wider than a screen; save a screenshot if SHOTS is set."""
    page.set_viewport_size(size)
    width: int = page.evaluate("document.documentElement.scrollWidth")
    if SHOTS:
        shot = f"{SHOTS}/{name.replace(':', '-')}-{size['width']}.png"
        page.screenshot(path=shot)
    page.set_viewport_size(SMALL)
    return width > size["width"]


@pytest.mark.long(40)
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "also_dark",
    [
        # Every run checks the dark theme where colours are mixed: on the style guide, on the
        # main pages and as pairs of tokens.
        pytest.param(False, id="light"),
        pytest.param(True, id="light and dark", marks=pytest.mark.rare),
    ],
)
def test_axe_finds_nothing_on_any_page(phone: Page, *, also_dark: bool) -> None:
    phone.set_viewport_size(SMALL)
    examples = Examples()
    remaining = {
        pattern.name: pattern
        for pattern in patterns()
        if pattern.name not in excluded_names()
    }
    faults: dict[str, list[str]] = {}

    def check_pages(names: Iterable[str]) -> None:
        for name in list(names):
            pattern = remaining.pop(name)
            try:
                address = reverse(name, kwargs=examples.of(pattern))
            except KeyError as missing:
                faults[name] = [f"tests.browser.every_page has no example of {missing}"]
            else:
                faults[name] = find_page_faults(
                    phone, name, address, also_dark=also_dark
                )

    check_pages(SIGNED_OUT_PAGES)
    use_session(phone, without_password())
    check_pages(PAGES_WITHOUT_PASSWORD)
    director = director_of(examples)
    use_session(phone, director)
    check_pages(PAGES_WITHOUT_PASSKEY)
    check_pages(PAGES_WITHOUT_APP)
    add_passkey(phone, examples)
    add_app(examples)
    use_session(phone, sign_in_by_password(examples.director))
    check_pages(SIGN_IN_PAGES)
    use_session(phone, director)
    check_pages(remaining)
    lines = [
        f"{name}: {fault}"
        for name, page_faults in faults.items()
        for fault in page_faults
    ]
    assert not lines, "\n".join(lines)


def test_request_to_another_host_is_detected(chromium: Browser) -> None:
    with chromium.new_context() as context:
        page = context.new_page()
        watch = Watch(page, host="localhost")
        page.set_content('<img src="http://127.0.0.1:9/picture.png" alt="">')
        page.wait_for_load_state("load")
        assert watch.faults[0].startswith("asked another host: http://127.0.0.1:9/")


def test_axe_detects_violations(phone: Page) -> None:
    phone.set_content("<html lang=en><title>x</title><main><h1>x</h1><img></main>")
    with pytest.raises(AssertionError, match="image-alt"):
        assert_accessible(phone)
