"""The address of the page, and the host names under which it may be requested."""

import re
import socket
from dataclasses import dataclass
from ipaddress import ip_address

USUAL_PORT = 8080
LOOPBACK = "127.0.0.1"
_ANY = ("0.0.0.0", "::")  # noqa: S104 - compared, not listened on
_NAME = re.compile(r"[A-Za-z0-9]([A-Za-z0-9.-]{0,251}[A-Za-z0-9])?")
_MOST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class Address:
    """A host of this machine and a port; port 0 stands for any free port."""

    host: str = LOOPBACK
    port: int = USUAL_PORT

    @property
    def is_loopback(self) -> bool:
        return is_loopback(self.host)

    @property
    def is_any(self) -> bool:
        """Whether the host stands for every address of this machine."""
        return self.host in _ANY

    def link(self, host: str | None = None, scheme: str = "http") -> str:
        name = host or self.host
        return f"{scheme}://{f'[{name}]' if ':' in name else name}:{self.port}/"

    def network_link(self, scheme: str = "http") -> str:
        """The link as other machines of the network see it, where it listens for them."""
        return self.link((lan_host() or "localhost") if self.is_any else None, scheme)


def parse_address(text: str) -> Address:
    """`HOST:PORT`, `HOST` or `PORT`; an IPv6 address with a port stands in square brackets. Raises ValueError."""
    found = re.fullmatch(r"\[([0-9A-Fa-f:.]+)\](?::(\d{1,5}))?", text)
    if found is None and text.isascii() and text.isdigit():
        return Address(LOOPBACK, _parse_port(text))
    if found is None and text.count(":") > 1:
        found = re.fullmatch(r"([0-9A-Fa-f:.]+)()", text)
    if found is None:
        found = re.fullmatch(r"([^:\[\]]+)(?::(\d{1,5}))?", text)
    if found is None or not (is_ip(found[1]) or _NAME.fullmatch(found[1])):
        raise ValueError(f"{text!r} is no address; write HOST:PORT, as 0.0.0.0:8080")
    return Address(found[1], _parse_port(found[2]) if found[2] else USUAL_PORT)


def is_loopback(host: str) -> bool:
    return host == "localhost" or (is_ip(host) and ip_address(host).is_loopback)


def names_of_this_machine(address: Address) -> frozenset[str]:
    """The host names that a browser may use besides IP addresses; a foreign page cannot have one of them."""
    own = socket.gethostname().lower()
    names = {"localhost", address.host.lower()}
    if not address.is_loopback:
        names |= {own, own.split(".")[0], f"{own.split('.')[0]}.local"}
    return frozenset(names)


def is_host_allowed(header: str, names: frozenset[str], port: int) -> bool:
    """Whether a Host header names this machine and `port`; refuses a name that a foreign DNS server points here."""
    found = re.fullmatch(r"(\[[0-9A-Fa-f:.]+\]|[^:\[\]]+)(?::(\d{1,5}))?", header)
    if found is None or int(found[2] or 80) != port:
        return False
    host = found[1].strip("[]").lower()
    return host in names or is_ip(host)


def lan_host() -> str | None:
    """The address of this machine in its local network, found without sending anything; None where there is none."""
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(("192.0.2.1", 9))  # an address for documentation (TEST-NET-1, RFC 5737)
            host = str(probe.getsockname()[0])
    except OSError:
        return None
    return host


def is_ip(text: str) -> bool:
    try:
        ip_address(text)
    except ValueError:
        return False
    return True


def _parse_port(text: str) -> int:
    if int(text) > _MOST_PORT:
        raise ValueError(f"{text} is no port; give 0 to {_MOST_PORT}")
    return int(text)
