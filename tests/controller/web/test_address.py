import pytest

from controller.web.address import Address, is_host_allowed, names_of_this_machine, parse_address
from controller.web.match_page import NO_PAGE, has_browser, parse_web_option

EVERYWHERE = "0.0.0.0"  # noqa: S104 - nothing listens here


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("8081", Address("127.0.0.1", 8081)),
        (f"{EVERYWHERE}:8080", Address(EVERYWHERE, 8080)),
        ("192.168.1.4", Address("192.168.1.4", 8080)),
        ("club-pi.local:80", Address("club-pi.local", 80)),
        ("[::]:8080", Address("::", 8080)),
        ("::1", Address("::1", 8080)),
        ("localhost:0", Address("localhost", 0)),
    ],
)
def test_an_address_as_people_write_it(text: str, expected: Address) -> None:
    assert parse_address(text) == expected


@pytest.mark.parametrize(
    "text", ["", ":", "a:b", "host:99999", "99999", "http://x:1", "a b", "[::1", "x:1:y", "-x:1", "٨٠"]
)
def test_a_wrong_address(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no (address|port)"):
        parse_address(text)


def test_the_option_none_means_no_page() -> None:
    """Without the option the usual address is used."""
    assert parse_web_option("none") is NO_PAGE
    assert parse_web_option(None) is None


def test_links_name_ipv6_addresses_in_brackets() -> None:
    """Browsers need the brackets."""
    assert Address("::1", 8080).link() == "http://[::1]:8080/"
    assert Address(EVERYWHERE, 80).link("192.168.1.4") == "http://192.168.1.4:80/"


def test_on_a_network_this_machine_has_more_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are its host name and that in the .local domain; the loopback has neither."""
    monkeypatch.setattr("controller.web.address.socket.gethostname", lambda: "Club-Pi.lan")
    assert names_of_this_machine(Address()) == {"localhost", "127.0.0.1"}
    names = names_of_this_machine(Address(EVERYWHERE, 8080))
    assert {"club-pi", "club-pi.lan", "club-pi.local"} <= names
    assert is_host_allowed("CLUB-PI.local:8080", names, 8080)
    assert not is_host_allowed("club-pi.evil.example:8080", names, 8080)
    assert is_host_allowed("localhost", names, 80)


@pytest.mark.parametrize(
    ("environment", "is_terminal", "expected"),
    [
        ({"DISPLAY": ":0"}, True, True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True, True),
        ({"DISPLAY": ":0"}, False, False),
        ({"DISPLAY": "localhost:10.0", "SSH_CONNECTION": "x"}, True, False),
        ({}, True, False),
    ],
)
def test_a_browser_opens_only_at_a_screen(
    environment: dict[str, str], is_terminal: bool, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It does not open in a service, in a test or over ssh."""
    monkeypatch.setattr("controller.web.match_page.sys.platform", "linux")
    assert has_browser(environment, is_terminal=is_terminal) is expected
