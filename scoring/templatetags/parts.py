"""What pages are made of, as tags: a page says what it has, and its markup stands here alone.

Every template knows them without loading. An attribute is named with `_` where HTML has `-`;
what is true stands by its name alone, what is false, none or empty is left out. What leads
somewhere takes a view and its arguments as `url` does, or an `href`; `query_x=…` adds `?x=…`,
and `current` says that it is this page.
"""

from typing import Any
from urllib.parse import urlencode

from django import template
from django.middleware.csrf import get_token
from django.template import Context
from django.template.loader import get_template, select_template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

register = template.Library()


@register.simple_tag
def emblem(game: str = "") -> SafeString:
    """Return the emblem of a game as a drawing, the app's for none or one without."""
    own = [f"scoring/games/{game}/emblem.html"] if game else []
    drawn: SafeString = select_template([*own, "scoring/games/emblem.html"]).render()
    return drawn


@register.simple_tag
def icon(name: str) -> SafeString:
    """Return an icon of Lucide by its name there, for whose words a label stands beside it."""
    drawn = get_template(f"scoring/icons/{name}.html").render()
    return format_html('<span class="icon" aria-hidden="true">{}</span>', drawn)


@register.simple_tag
def sign(name: str) -> SafeString:
    """Return the sign of a suit by its name, as it is drawn on cards and tokens."""
    drawn = get_template(f"scoring/signs/{name}.html").render()
    return mark_safe(drawn.strip())  # noqa: S308 - a drawing of our own


THEME_COOKIES = ("__Host-theme", "theme")
"""What `theme.js` remembers a choice by: with https, and without."""


@register.simple_tag(takes_context=True)
def chosen_theme(context: Context) -> str:
    """Return whether somebody chose light or dark; empty where the system says."""
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
    """Return a button, that submits where no other type is said.

    Its kind is primary, danger, or another class of a style sheet.
    """
    said = said_attributes({"type": type, "class": kind, **attributes})
    return format_html("<button{}>{}</button>", said, trimmed(content))


@register.simple_block_tag
def link_button(
    content: str, *view: Any, href: str = "", kind: str = "", **attributes: Any
) -> SafeString:
    """Return a link that looks like a button of its kind."""
    said = {"class": f"button {kind}".strip(), **attributes}
    return link(content, view, href, said)


@register.simple_block_tag(takes_context=True)
def post_button(
    context: Context,
    content: str,
    *view: Any,
    href: str = "",
    kind: str = "",
    **attributes: Any,
) -> SafeString:
    """Return a form of one button, that posts to a view."""
    return format_html(
        '<form method="post" action="{}">{}<button{}>{}</button></form>',
        resolve_address(view, href, attributes),
        csrf_field(context),
        said_attributes({"type": "submit", "class": kind, **attributes}),
        trimmed(content),
    )


@register.simple_block_tag
def action(content: str, element: str = "div", **attributes: Any) -> SafeString:
    """Return the bottom of a page, that stays in reach: what is done next, and what else may be."""
    said = said_attributes({"class": "action", **attributes})
    return format_html("<{0}{1}>{2}</{0}>", element, said, trimmed(content))


@register.simple_block_tag
def chip(content: str, *view: Any, href: str = "", **attributes: Any) -> SafeString:
    """Return a choice that is one tap: the label of what it holds, a link or, with a type, a button."""
    attributes = {"class": "chip", **attributes}
    if view or href:
        return link(content, view, href, attributes)
    said = said_attributes(attributes)
    name = "button" if "type" in attributes else "label"
    return format_html("<{0}{1}>{2}</{0}>", name, said, trimmed(content))


@register.simple_block_tag
def bar(content: str) -> SafeString:
    """Return the app bar of a page: the way back, an emblem, where one is, how it stands or leads on."""
    return format_html('<header class="bar">{}</header>', trimmed(content))


@register.simple_tag
def back_link(*view: Any, label: str, href: str = "", **attributes: Any) -> SafeString:
    """Return the way back from a page, in its bar; the label says where that is."""
    said = {"class": "back", "aria_label": label, **attributes}
    return link(icon("chevron-left"), view, href, said)


@register.simple_tag
def connection(lost: str) -> SafeString:
    """Return where a bar says that there is no connection; `{time}` in the words is since when.

    It also says if the match was deleted.
    """
    return format_html(
        '<span id="connection" role="status" data-lost="{}" data-gone="{}"></span>',
        lost,
        gettext("This match was deleted."),
    )


@register.simple_block_tag
def item(
    content: str,
    *view: Any,
    sign: str = "",
    goes: bool = False,
    href: str = "",
    **attributes: Any,
) -> SafeString:
    """Return a line of a menu that leads somewhere, with the icon of its sign.

    `goes` draws that it leads to a page of its own.
    """
    words = format_html(
        "{}{}{}",
        icon(sign) if sign else "",
        trimmed(content),
        format_html('<span class="go">{}</span>', icon("chevron-right"))
        if goes
        else "",
    )
    return format_html("<li>{}</li>", link(words, view, href, attributes))


@register.simple_block_tag
def details(
    content: str,
    label: str,
    *,
    said: str = "",
    kind: str = "",
    looks: str = "",
    open: object = False,  # noqa: A002 - as HTML calls it
    **attributes: Any,
) -> SafeString:
    """Return what is folded away under its label, beside which stands what it says now.

    Its label may look like something else, a button of some kind, by its class.
    """
    kinds = kind if looks else f"fold {kind}".strip()
    attributes = {"class": kinds, **attributes, "open": bool(open)}
    return format_html(
        "<details{}><summary{}>{}{}</summary>{}</details>",
        said_attributes(attributes),
        said_attributes({"class": looks}),
        label,
        format_html(' <span class="said">{}</span>', said) if is_said(said) else "",
        trimmed(content),
    )


@register.simple_block_tag
def overflow_menu(
    content: str, label: str, kind: str, element: str = "div", **attributes: Any
) -> SafeString:
    """Return a sheet that comes over the page from three dots, whose label is for the ear."""
    dots = format_html('<summary aria-label="{}">{}</summary>', label, icon("ellipsis"))
    named = said_attributes({"aria_label": label if element == "nav" else ""})
    return format_html(
        '<details{0}>{1}<{2} class="over"{3}>{4}</{2}></details>',
        said_attributes({"class": kind, **attributes}),
        dots,
        element,
        named,
        trimmed(content),
    )


@register.simple_block_tag
def banner(content: str, kind: str, sign: str = "", **attributes: Any) -> SafeString:
    """Return what is to be seen first on a page; its kind is ok, wait or bad."""
    said = said_attributes({"class": f"banner {kind}", **attributes})
    drawn = icon(sign) if sign else ""
    return format_html("<p{}>{}<span>{}</span></p>", said, drawn, trimmed(content))


@register.simple_block_tag
def refusal(content: str, element: str = "p", **attributes: Any) -> SafeString:
    """Return why something was not taken, as it stands beside that."""
    said = said_attributes({"class": "refusal", **attributes})
    return format_html("<{0}{1}>{2}</{0}>", element, said, trimmed(content))


@register.simple_block_tag
def badge(
    content: str, kind: str = "", sign: str = "", **attributes: Any
) -> SafeString:
    """Return a word on how something stands; its kind is ok, run, wait, bad, off, you or none."""
    said = said_attributes({"class": f"badge {kind}".strip(), **attributes})
    drawn = icon(sign) if sign else ""
    return format_html("<span{}>{}{}</span>", said, drawn, trimmed(content))


@register.simple_block_tag
def empty_state(content: str, element: str = "p") -> SafeString:
    return format_html('<{0} class="nothing">{1}</{0}>', element, trimmed(content))


@register.simple_block_tag
def segmented(content: str, label: str = "", element: str = "div") -> SafeString:
    """Return a choice of one among a few: labels that hold a radio button each, or links in a nav."""
    role = "radiogroup" if label and element == "div" else ""
    said = said_attributes({"class": "seg", "role": role, "aria_label": label})
    return format_html("<{0}{1}>{2}</{0}>", element, said, trimmed(content))


@register.simple_block_tag
def option(
    content: str, kind: str = "", element: str = "div", **attributes: Any
) -> SafeString:
    """Return a field with its label and what was refused of it."""
    said = said_attributes({"class": f"option {kind}".strip(), **attributes})
    return format_html("<{0}{1}>{2}</{0}>", element, said, trimmed(content))


@register.simple_block_tag
def list_row(
    content: str,
    *view: Any,
    game: str | None = None,
    href: str = "",
    kind: str = "",
    **query: Any,
) -> SafeString:
    """Return a line of a list, as of matches or nights.

    It begins with the emblem of its game on its cloth, the app's for an empty name.
    """
    words = trimmed(content)
    if game is not None:
        on_cloth = said_attributes({"data_game": game})
        words = format_html("<i{}>{}</i>{}", on_cloth, emblem(game), words)
    leads = view or href
    line = (
        link(words, view, href, query) if leads else format_html("<div>{}</div>", words)
    )
    return format_html("<li{}>{}</li>", said_attributes({"class": kind}), line)


def link(
    content: str, view: tuple[Any, ...], href: str, attributes: dict[str, Any]
) -> SafeString:
    if attributes.pop("current", False):
        attributes["aria_current"] = "page"
    address = resolve_address(view, href, attributes)
    said = said_attributes(attributes)
    return format_html('<a href="{}"{}>{}</a>', address, said, trimmed(content))


@register.simple_tag
def address(view: str, *arguments: Any, **query: Any) -> str:
    """Return the address of a view with its query, for what is no link."""
    return resolve_address(
        (view, *arguments), "", {f"query_{k}": v for k, v in query.items()}
    )


@register.filter
def equals(value: object, other: object) -> bool:
    return value == other


def resolve_address(
    view: tuple[Any, ...], href: str, attributes: dict[str, Any]
) -> str:
    """Return the address of a view, with the query that is taken out of the attributes."""
    asked = [name for name in attributes if name.startswith("query_")]
    query = {name.removeprefix("query_"): attributes.pop(name) for name in asked}
    query = {name: value for name, value in query.items() if is_said(value)}
    address = reverse(view[0], args=view[1:]) if view else href
    return f"{address}?{urlencode(query)}" if query else address


def said_attributes(attributes: dict[str, Any]) -> SafeString:
    """Return attributes as they stand in a tag.

    >>> said_attributes({"type": "button", "data_key": 0, "hidden": True, "value": ""})
    ' type="button" data-key="0" hidden'
    """
    said = [
        (name.replace("_", "-"), value)
        for name, value in attributes.items()
        if is_said(value)
    ]
    return mark_safe(  # noqa: S308 - each part is escaped
        "".join(
            format_html(" {}", name)
            if value is True
            else format_html(' {}="{}"', name, value)
            for name, value in said
        )
    )


def is_said(value: object) -> bool:
    """Return whether an attribute or a part of a query has something to say; 0 has."""
    return value is not None and value is not False and value != ""


def csrf_field(context: Context) -> SafeString:
    """Return the field that a form which posts needs; none where nobody asked for the page."""
    request = context.get("request")
    if request is None:
        return SafeString()
    return format_html(
        '<input type="hidden" name="csrfmiddlewaretoken" value="{}">',
        get_token(request),
    )


def trimmed(content: str) -> SafeString:
    return mark_safe(content.strip())  # noqa: S308 - a template has drawn it
