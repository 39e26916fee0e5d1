"""Template tags about the sign-in options of this site."""

from ipaddress import ip_address
from typing import Any

from django import template
from django.http import HttpRequest
from django.http.request import split_domain_port

from tournaments.people.letters import are_emails_printed_to_console

register = template.Library()
register.simple_tag(are_emails_printed_to_console)


@register.simple_tag(takes_context=True)
def passkeys_work(context: dict[str, Any]) -> bool:
    """Return whether browsers support passkeys here: for a domain name, not an IP address."""
    request: HttpRequest = context["request"]
    host, _port = split_domain_port(request.get_host())
    try:
        ip_address(host.strip("[]"))
    except ValueError:
        return True
    return False
