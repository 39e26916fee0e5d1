"""HTML that the template tags render."""

import pytest
from django.template import Context, Template


def render(source: str, **context: object) -> str:
    return Template(source).render(Context(context))


@pytest.mark.parametrize("empty_value", [None, False, ""])
def test_empty_attribute_is_omitted(empty_value: object) -> None:
    source = "{% button value=value disabled=value %}Save{% endbutton %}"
    assert render(source, value=empty_value) == '<button type="submit">Save</button>'
    assert render(source, value=0) == (
        '<button type="submit" value="0" disabled="0">Save</button>'
    )


def test_user_text_is_escaped_in_a_button() -> None:
    assert render("{% button value=name %}{{ name }}{% endbutton %}", name='"><b>') == (
        '<button type="submit" value="&quot;&gt;&lt;b&gt;">&quot;&gt;&lt;b&gt;</button>'
    )


def test_link_leads_to_a_view_with_its_query() -> None:
    source = (
        '{% link_button "scoring:match_new" kind="primary" query_game="db2t" query_again=no %}'
        "New match{% endlink_button %}"
    )
    assert render(source, no=None) == (
        '<a href="/matches/new/?game=db2t" class="button primary">New match</a>'
    )
