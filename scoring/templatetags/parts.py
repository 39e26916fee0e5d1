"""Template tags for the parts of pages, which define their markup in one place, and filters for numbers and times.

They are available in every template without `load`. They import no models, as the page that tells a phone
how to trust a machine is drawn without a database.

Attributes have `_` instead of `-`; True
gives an attribute without a value; False, None and empty values are left out. Links take a view
and its arguments like `url`, or an `href`; `query_x=…` adds `?x=…`, and `current` marks a link
to the current page.
"""

from datetime import datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import forms, template
from django.middleware.csrf import get_token
from django.template import Context
from django.template.loader import get_template, select_template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from scoring.games.entry_form import EntryForm
from scoring.locales.numbers import format_number
from scoring.locales.sentences import join_names

if TYPE_CHECKING:
    from scoring.games.table_game import TableGame

register = template.Library()
register.filter(join_names)
PAUSED = "⏸"


@register.simple_tag
def emblem(game: str = "") -> SafeString:
    """Return the emblem of a game as SVG; that of the app for no game or one without an emblem."""
    own = [f"scoring/games/{game}/emblem.html"] if game else []
    svg: SafeString = select_template([*own, "scoring/games/emblem.html"]).render()
    return svg


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return a Lucide icon by its name. It is hidden from screen readers, so it needs a label."""
    svg = get_template(f"scoring/icons/{name}.html").render()
    return format_html('<span class="icon" aria-hidden="true">{}</span>', svg)


@register.simple_tag
def suit_sign(name: str) -> SafeString:
    """Return the sign of a suit by its name, as on cards and tokens."""
    svg = get_template(f"scoring/signs/{name}.html").render()
    return mark_safe(svg.strip())  # noqa: S308 - a drawing of our own


THEME_COOKIES = ("__Host-theme", "theme")
"""Names of the cookie of `theme.js`, with https and without."""


@register.simple_tag(takes_context=True)
def chosen_theme(context: Context) -> str:
    """Return the theme that the visitor chose, `light` or `dark`; empty for that of the system."""
    request = context.get("request")
    cookies = request.COOKIES if request is not None else {}
    chosen = [cookies[name] for name in THEME_COOKIES if name in cookies]
    return chosen[0] if chosen and chosen[0] in {"light", "dark"} else ""


@register.simple_block_tag
def button(
    content: str,
    type: str = "submit",  # noqa: A002 - as HTML calls it
    kind: str = "",
    **attributes: Any,
) -> SafeString:
    """Return a button, by default of type `submit`.

    Its kind is `primary`, `danger`, or another CSS class.
    """
    attributes = {"type": type, "class": kind, **attributes}
    return render_element("button", attributes, content)


@register.simple_block_tag
def link_button(
    content: str, *view: Any, href: str = "", kind: str = "", **attributes: Any
) -> SafeString:
    """Return a link that looks like a button of this kind."""
    link_attributes = {"class": f"button {kind}".strip(), **attributes}
    return render_link(content, view, href, link_attributes)


@register.simple_block_tag(takes_context=True)
def post_button(
    context: Context,
    content: str,
    *view: Any,
    href: str = "",
    kind: str = "",
    **attributes: Any,
) -> SafeString:
    """Return a form with one button that posts to a view."""
    address = pop_query_and_resolve_url(view, href, attributes)
    attributes = {"type": "submit", "class": kind, **attributes}
    return format_html(
        '<form method="post" action="{}">{}{}</form>',
        address,
        csrf_field(context),
        render_element("button", attributes, content),
    )


@register.simple_block_tag
def action(content: str, element: str = "div", **attributes: Any) -> SafeString:
    """Return the bar at the bottom of a page, always visible, with the next and other actions."""
    return render_element(element, {"class": "action", **attributes}, content)


@register.simple_block_tag
def chip(content: str, *view: Any, href: str = "", **attributes: Any) -> SafeString:
    """Return a one-tap choice: a link, a button if it has a type, else a label around its content."""
    attributes = {"class": "chip", **attributes}
    if view or href:
        return render_link(content, view, href, attributes)
    name = "button" if "type" in attributes else "label"
    return render_element(name, attributes, content)


@register.simple_block_tag
def bar(content: str) -> SafeString:
    """Return the app bar of a page: back link, emblem, title, and state or links."""
    return render_element("header", {"class": "bar"}, content)


@register.simple_tag
def back_link(*view: Any, label: str, href: str = "", **attributes: Any) -> SafeString:
    """Return the back link in the app bar; the label names its target."""
    link_attributes = {"class": "back-link", "aria_label": label, **attributes}
    return render_link(icon("chevron-left"), view, href, link_attributes)


@register.simple_tag
def connection_status(offline_label: str) -> SafeString:
    """Return the place in the app bar for a lost connection; `{time}` in `offline_label` is its start.

    It also shows that the match was deleted.
    """
    return format_html(
        '<span id="connection" role="status" data-lost-text="{}" data-deleted-text="{}"></span>',
        offline_label,
        gettext("This match was deleted."),
    )


@register.simple_block_tag
def item(
    content: str,
    *view: Any,
    sign: str = "",
    has_chevron: bool = False,
    href: str = "",
    **attributes: Any,
) -> SafeString:
    """Return a menu item with a link and the icon `sign`.

    `has_chevron` adds a chevron, for a link to another page.
    """
    label = format_html(
        "{}{}{}",
        icon(sign) if sign else "",
        trim_safe_markup(content),
        format_html('<span class="menu-arrow">{}</span>', icon("chevron-right"))
        if has_chevron
        else "",
    )
    return format_html("<li>{}</li>", render_link(label, view, href, attributes))


@register.simple_block_tag
def details(
    content: str,
    label: str,
    *,
    current_value: str = "",
    kind: str = "",
    label_class: str = "",
    open: object = False,  # noqa: A002 - as HTML calls it
    **attributes: Any,
) -> SafeString:
    """Return content that is folded under its label, with its current value `current_value` next to it.

    `label_class` is a CSS class for the label, for example to make it look like a button.
    """
    kinds = kind if label_class else f"fold {kind}".strip()
    attributes = {"class": kinds, **attributes, "open": bool(open)}
    return format_html(
        "<details{}><summary{}>{}{}</summary>{}</details>",
        render_attributes(attributes),
        render_attributes({"class": label_class}),
        label,
        format_html(' <span class="details-value">{}</span>', current_value)
        if has_value(current_value)
        else "",
        trim_safe_markup(content),
    )


@register.simple_block_tag
def overflow_menu(
    content: str, label: str, kind: str, element: str = "div", **attributes: Any
) -> SafeString:
    """Return a menu that opens from three dots, with a label for screen readers."""
    dots = format_html('<summary aria-label="{}">{}</summary>', label, icon("ellipsis"))
    nav_label = render_attributes({"aria_label": label if element == "nav" else ""})
    return format_html(
        '<details{0}>{1}<{2} class="menu-panel"{3}>{4}</{2}></details>',
        render_attributes({"class": kind, **attributes}),
        dots,
        element,
        nav_label,
        trim_safe_markup(content),
    )


@register.simple_block_tag
def page_menu(content: str) -> SafeString:
    """Return the menu of a page with its items; nothing without items."""
    items = trim_safe_markup(content)
    if not items:
        return items
    dots = format_html(
        '<summary aria-label="{}">{}</summary>', gettext("More"), icon("ellipsis")
    )
    return format_html(
        '<details class="page-menu">{}<nav class="menu-panel" aria-label="{}"><ul class="menu">{}</ul></nav></details>',
        dots,
        gettext("More"),
        items,
    )


SECTIONS = (
    ("scoring:home", "play", _("Play"), " matches who-won how-to-play"),
    ("tournaments:find_tournament", "moon", _("Tonight"), "t"),
    (
        "tournaments:clubs",
        "users",
        _("Clubs"),
        "clubs my-clubs circuits bring-a-club invited",
    ),
    (
        "tournaments:you",
        "circle-user-round",
        _("You"),
        "you account accounts tokens time-zone install",
    ),
)
"""The sections of the site: main page, icon, label, and the first parts of their paths."""


@register.simple_tag(takes_context=True)
def section_links(context: Context) -> list[dict[str, object]]:
    """Return the links to the sections, of which the current one has `current`, as in `aria-current`."""
    request = context.get("request")
    path = request.path if request is not None else "/-/"
    first_part = path.split("/")[1]
    links: list[dict[str, object]] = []
    for view, icon_name, label, first_parts in SECTIONS:
        url = reverse(view)
        is_inside = first_part in first_parts.split(" ")
        current = "page" if path == url else "true" if is_inside else ""
        links.append(
            {"url": url, "icon": icon_name, "label": label, "current": current}
        )
    return links


@register.simple_block_tag
def banner(content: str, kind: str, sign: str = "", **attributes: Any) -> SafeString:
    """Return the main message of a page; its kind is `ok`, `wait` or `bad`."""
    svg = icon(sign) if sign else ""
    message = format_html("{}<span>{}</span>", svg, trim_safe_markup(content))
    return render_element("p", {"class": f"banner {kind}", **attributes}, message)


@register.simple_block_tag
def refusal(content: str, element: str = "p", **attributes: Any) -> SafeString:
    """Return the error message next to a refused input."""
    return render_element(element, {"class": "refusal", **attributes}, content)


@register.simple_block_tag
def badge(
    content: str, kind: str = "", sign: str = "", **attributes: Any
) -> SafeString:
    """Return a status badge; its kind is `ok`, `run`, `wait`, `bad`, `off`, `you` or empty."""
    label = format_html("{}{}", icon(sign) if sign else "", trim_safe_markup(content))
    attributes = {"class": f"badge {kind}".strip(), **attributes}
    return render_element("span", attributes, label)


@register.simple_block_tag
def empty_state(
    content: str, *view: Any, element: str = "p", href: str = "", label: str = ""
) -> SafeString:
    """Return the sentence for an empty list.

    With a `label` it fills the page: below the emblem, and above a button with the label that leads
    to the view or `href`.
    """
    if not label:
        return render_element(element, {"class": "empty-state"}, content)
    button = render_link(label, view, href, {"class": "button"})
    page = format_html("{}<p>{}</p>{}", emblem(), trim_safe_markup(content), button)
    return render_element("div", {"class": "empty-page"}, page)


@register.simple_block_tag
def segmented(content: str, label: str = "", element: str = "div") -> SafeString:
    """Return a segmented control: labels with a radio button each, or links in a `nav`."""
    role = "radiogroup" if label and element == "div" else ""
    attributes = {"class": "seg", "role": role, "aria_label": label}
    return render_element(element, attributes, content)


@register.simple_block_tag
def field_row(
    content: str, kind: str = "", element: str = "div", **attributes: Any
) -> SafeString:
    """Return a form field with its label and errors."""
    attributes = {"class": f"option {kind}".strip(), **attributes}
    return render_element(element, attributes, content)


@register.simple_block_tag(takes_context=True)
def list_row(
    context: Context,
    content: str,
    *view: Any,
    game: str | None = None,
    href: str = "",
    kind: str = "",
    menu: str = "",
    **query: Any,
) -> SafeString:
    """Return a row of a list, such as one of matches or nights.

    With a `game` it begins with the game's emblem on its cloth; with an empty one, the app's.
    A `menu` is the template of its menu.
    """
    label = trim_safe_markup(content)
    if game is not None:
        cloth_attributes = render_attributes({"data_game": game})
        label = format_html("<i{}>{}</i>{}", cloth_attributes, emblem(game), label)
    has_link = view or href
    line = (
        render_link(label, view, href, query)
        if has_link
        else format_html("<div>{}</div>", label)
    )
    html_attributes = render_attributes({"class": kind})
    more = ""
    if menu:
        values = {str(name): value for name, value in context.flatten().items()}
        more = get_template(menu).render(values, context.get("request"))
    return format_html("<li{}>{}{}</li>", html_attributes, line, more)


def render_link(
    content: str, view: tuple[Any, ...], href: str, attributes: dict[str, Any]
) -> SafeString:
    if attributes.pop("current", False):
        attributes["aria_current"] = "page"
    address = pop_query_and_resolve_url(view, href, attributes)
    html_attributes = render_attributes(attributes)
    return format_html(
        '<a href="{}"{}>{}</a>', address, html_attributes, trim_safe_markup(content)
    )


@register.simple_tag
def url_with_query(view: str, *arguments: Any, **query: Any) -> str:
    """Return the URL of a view with its query, for uses other than links."""
    return pop_query_and_resolve_url(
        (view, *arguments), "", {f"query_{k}": v for k, v in query.items()}
    )


@register.filter
def equals(value: object, expected: object) -> bool:
    return value == expected


def pop_query_and_resolve_url(
    view: tuple[Any, ...], href: str, attributes: dict[str, Any]
) -> str:
    """Return the URL of a view; its query is removed from the attributes."""
    query_names = [name for name in attributes if name.startswith("query_")]
    query = {name.removeprefix("query_"): attributes.pop(name) for name in query_names}
    query = {name: value for name, value in query.items() if has_value(value)}
    address = reverse(view[0], args=view[1:]) if view else href
    return f"{address}?{urlencode(query)}" if query else address


def render_attributes(attributes: dict[str, Any]) -> SafeString:
    """Return attributes as HTML.

    >>> render_attributes({"type": "button", "data_key": 0, "hidden": True, "value": ""})
    ' type="button" data-key="0" hidden'
    """
    pairs = [
        (name.replace("_", "-"), value)
        for name, value in attributes.items()
        if has_value(value)
    ]
    return mark_safe(  # noqa: S308 - each part is escaped
        "".join(
            format_html(" {}", name)
            if value is True
            else format_html(' {}="{}"', name, value)
            for name, value in pairs
        )
    )


def has_value(value: object) -> bool:
    """Return whether an attribute or query parameter has a value, such as 0."""
    return value is not None and value is not False and value != ""


def csrf_field(context: Context) -> SafeString:
    """Return the CSRF field of a form; empty if there is no request."""
    request = context.get("request")
    if request is None:
        return SafeString()
    return format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">',
        get_token(request),
    )


def render_element(name: str, attributes: dict[str, Any], content: str) -> SafeString:
    """Return an element with these attributes around the markup of a template."""
    return format_html(
        "<{0}{1}>{2}</{0}>",
        name,
        render_attributes(attributes),
        trim_safe_markup(content),
    )


def trim_safe_markup(content: str) -> SafeString:
    return mark_safe(content.strip())  # noqa: S308 - a template has drawn it


@register.filter
def number(value: int | str | None) -> str:
    """Return a whole number with a true minus sign and thousands separators; other text unchanged.

    >>> number(-20), number(12345), number(None), number("–")
    ('−20', '12,345', '', '–')
    """
    if value is None:
        return ""
    if not isinstance(value, int):
        return value
    return format_number(value)


@register.filter
def gained(value: int) -> str:
    """Return a number of points with its sign; 0 has none.

    >>> gained(5), gained(-5), gained(0)
    ('+5', '−5', '0')
    """
    return f"+{number(value)}" if value > 0 else number(value)


@register.filter
def seat_fields(form: EntryForm, prefix: str) -> list[forms.BoundField]:
    return [form[f"{prefix}_{seat}"] for seat in range(form.state.seats)]


@register.simple_tag
def hand_text(game: "TableGame", key: str, number: int, **values: int) -> str:
    """Return a text about a hand, in the word of its game; keys are those of `hand_texts`."""
    return game.hand_text(key, number, **values)


@register.simple_tag
def clause_link(game: str, clause: str) -> SafeString | str:
    """Return a link to a clause on the page of its game.

    Clauses on the format of a record (`record.…`) are not on that page and give no link.
    """
    if clause.startswith("record."):
        return ""
    page = reverse("scoring:how_to_play_game", args=[game])
    return format_html(
        '<a href="{}#{}" title="{}">{}</a>', page, clause, clause, gettext("why?")
    )


@register.simple_tag
def format_countdown(
    ends_at: datetime, now: datetime, paused_at: datetime | None = None
) -> str:
    """Return the remaining time as minutes and seconds, or that time is over.

    >>> format_countdown(datetime(2026, 5, 1, 20, 50), datetime(2026, 5, 1, 20, 0, 58))
    '49:02'
    """
    seconds = round((ends_at - (paused_at or now)).total_seconds())
    minutes, seconds = divmod(seconds, 60)
    clock_text = (
        f"{minutes}:{seconds:02}" if (minutes, seconds) > (0, 0) else gettext("Time")
    )
    return f"{clock_text} {PAUSED}" if paused_at else clock_text
