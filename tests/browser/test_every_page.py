"""Every page that a URL pattern leads to: axe finds nothing, scores stand out, all of it fits a small screen.

EVERY_SIZE=1 looks whether it fits a phone on its side, a laptop and a large screen as well,
and SHOTS names a folder for pictures of what was seen there.
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

from tests.browser.accessible import assert_accessible, faint_words, faults_of
from tests.browser.club import PASSWORD, be
from tests.browser.conftest import Watch
from tests.browser.every_page import NO_PAGES, Examples, patterns
from tests.browser.test_sizes import set_letters
from tests.factories.tournaments import UserFactory
from tournaments.models import User

OF_STRANGERS = [
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
OTHERS: list[ViewportSize] = [
    {"width": 844, "height": 390},
    {"width": 1280, "height": 800},
    {"width": 1920, "height": 1080},
]
SIZES = OTHERS if os.environ.get("EVERY_SIZE") else []
SHOTS = os.environ.get("SHOTS", "")
LETTERS = "parseFloat(getComputedStyle(document.documentElement).fontSize)"
SCORES = "main .num, .standings td, .sheet td, .sheet tbody th"
UNLIKE_THE_OTHERS = """
  (width) => {
    const root = document.documentElement;
    const primary = [...document.querySelectorAll(".primary")].filter((act) => act.checkVisibility());
    const found = primary.length > 1 ? [`has ${primary.length} main acts`] : [];
    if (root.scrollWidth > width) found.push("is wider than a small screen");
    return found;
  }
"""
"""What no page may be, whatever stands on it."""
OF_WHO_HAS_NO_PASSKEY = ["mfa_index", "mfa_list_webauthn"]
OF_WHO_HAS_NO_APP = ["mfa_activate_totp"]
OF_WHO_SIGNS_IN = ["mfa_authenticate"]
OF_WHO_HAS_NO_PASSWORD = ["account_set_password"]


def names_of_no_pages() -> list[str]:
    return " ".join(NO_PAGES.values()).split()


def test_excluded_patterns_exist_and_are_listed_once() -> None:
    named = names_of_no_pages()
    assert len(named) == len(set(named))
    assert set(named) <= {pattern.name for pattern in patterns()}


def test_post_only_patterns_reject_get() -> None:
    views = {pattern.name: pattern.view for pattern in patterns()}
    read = RequestFactory().get("/")
    for name in NO_PAGES["only posted to"].split():
        if name != "set_language":  # Django's own leads back to where one was.
            answer: HttpResponse = views[name](read)
            assert answer.status_code == 405, name


def by_password(user: User) -> Client:
    """Return who signs in by a password; with a passkey that is half of it."""
    client = Client()
    signed_in = {"login": user.email, "password": PASSWORD}
    assert client.post(reverse("account_login"), signed_in).status_code == 302
    return client


def director_of(examples: Examples) -> Client:
    """Return the director, who has just re-entered the password and plays as well."""
    client = by_password(examples.director)
    once_more = {"password": PASSWORD}
    assert client.post(reverse("account_reauthenticate"), once_more).status_code == 302
    session = client.session
    own = examples.night.entries.order_by("number")[0]
    session["joined"] = {examples.night.address: own.pk}
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
    """Give the director a passkey, of a device that the browser plays."""
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
    """Give the director an app that shows codes after the password."""
    secret = {"secret": "ORSWY3DZEBZWKZLEEBXWMIDDN5SGK4ZB"}
    Authenticator.objects.create(
        user=examples.director, type=Authenticator.Type.TOTP, data=secret
    )


def look_at(page: Page, name: str, address: str, *, also_dark: bool) -> list[str]:
    """Return what is wrong with a page, which is to be the one of the name."""
    answer = page.goto(address)
    assert answer is not None
    shown = resolve(urlsplit(page.url).path).view_name
    if (answer.status, shown) != (200, name):
        return [f"answers {answer.status} and shows {shown}: is it a page?"]
    found = page.evaluate(UNLIKE_THE_OTHERS, SMALL["width"])
    set_letters(page, 2)
    # The room's screen has letters by its own size.
    page.wait_for_function(f"() => {LETTERS} > 20")
    if page.evaluate("document.documentElement.scrollWidth") > SMALL["width"]:
        found.append("is wider than a small screen with letters of twice the size")
    set_letters(page, 1)
    page.wait_for_function(f"() => {LETTERS} < 24")
    found += [
        f"is wider than {size['width']} px"
        for size in SIZES
        if sticks_out(page, name, size)
    ]
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [f"{theme}: {words}" for words in faint_words(page, SCORES) or ()]
    return [*found, *faults_of(page, also_dark=also_dark)]


def sticks_out(page: Page, name: str, size: ViewportSize) -> bool:
    """Return whether a page is wider than a screen, and keep its picture where one is wanted."""
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
        # Colours of the dark are looked at in every run where they are mixed: on the style
        # guide, on the main pages and as pairs of tokens.
        pytest.param(False, id="light"),
        pytest.param(True, id="light and dark", marks=pytest.mark.rare),
    ],
)
def test_axe_finds_nothing_on_any_page(phone: Page, *, also_dark: bool) -> None:
    phone.set_viewport_size(SMALL)
    examples = Examples()
    left = {it.name: it for it in patterns() if it.name not in names_of_no_pages()}
    faults: dict[str, list[str]] = {}

    def see(names: Iterable[str]) -> None:
        for name in list(names):
            pattern = left.pop(name)
            try:
                address = reverse(name, kwargs=examples.of(pattern))
            except KeyError as unknown:
                faults[name] = [f"tests.browser.every_page has no example of {unknown}"]
            else:
                faults[name] = look_at(phone, name, address, also_dark=also_dark)

    see(OF_STRANGERS)
    be(phone, without_password())
    see(OF_WHO_HAS_NO_PASSWORD)
    director = director_of(examples)
    be(phone, director)
    see(OF_WHO_HAS_NO_PASSKEY)
    see(OF_WHO_HAS_NO_APP)
    add_passkey(phone, examples)
    add_app(examples)
    be(phone, by_password(examples.director))
    see(OF_WHO_SIGNS_IN)
    be(phone, director)
    see(left)
    lines = [f"{name}: {fault}" for name, found in faults.items() for fault in found]
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
