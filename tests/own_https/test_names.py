"""An authority vouches for what is in a private network, and for what it was made for."""

import pytest

from tricky_site.own_https.names import constraints, general_names, permits


@pytest.mark.parametrize(
    "host",
    [
        *("tricky.local", "laptop.lan", "localhost", "192.168.1.20", "10.0.0.7"),
        *("172.31.0.1", "127.0.0.1", "[::1]", "[fd12::7]", "[fe80::1]", "169.254.3.4"),
    ],
)
def test_what_is_private_is_permitted_to_every_authority(host: str) -> None:
    (name,) = general_names([host])
    assert permits(constraints([]), name)


@pytest.mark.parametrize(
    "host",
    [
        *("tricky.example", "evillocal", "local.example", "8.8.8.8", "172.32.0.1"),
        *("[2001:db8::1]", "193.168.1.20"),
    ],
)
def test_what_is_on_the_internet_is_permitted_to_one_that_was_made_for_it(
    host: str,
) -> None:
    (name,) = general_names([host])
    assert not permits(constraints([]), name)
    assert permits(constraints([name]), name)


def test_one_that_was_made_for_a_name_vouches_for_no_name_above_or_beside_it() -> None:
    own, above, beside, below = general_names(
        ["club.example", "example", "bar.example", "a.club.example"]
    )
    limits = constraints([own])
    assert not permits(limits, above)
    assert not permits(limits, beside)
    assert permits(limits, below)


@pytest.mark.parametrize("host", ["*", "", "a b", "-x.local", "a..b", "bücher.local"])
def test_what_no_certificate_can_say_is_left_out(host: str) -> None:
    assert general_names([host]) == []


def test_a_host_with_all_that_is_below_it_is_said_as_certificates_say_it() -> None:
    names = [name.value for name in general_names([".club.lan", "Tricky.Local"])]
    assert names == ["club.lan", "*.club.lan", "tricky.local"]
