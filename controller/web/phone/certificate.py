"""The certificate of the phone's page. A browser opens a camera only for a page that comes over https.

An authority that exists on this machine alone signs it. It is made once, so that a phone that trusts it need not be asked again, and
it may sign only names of a local network: whoever steals its key cannot pretend to be any other site. `openssl` does the work,
which every Raspberry Pi has.
"""

import re
import secrets
import shutil
import subprocess
from dataclasses import dataclass
from ipaddress import ip_address
from pathlib import Path
from tempfile import TemporaryDirectory

from controller.private_files import make_private_folder, write_private
from controller.web.address import is_ip
from vision.errors import CaptureError, CaptureLibraryError

_NAME = "The phone"
_PROGRAM = "openssl"
_ENDS_WITHIN_S = 20.0  # making a key takes milliseconds; a Pi that just started may lack randomness for seconds
_AUTHORITY_DAYS, _DAYS = 3_650, 800  # phones refuse certificates of more than 825 days
_RENEW_BEFORE_S = 30 * 86_400
_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
_HOST = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]{0,60}")
_LOCAL = (
    *("IP:10.0.0.0/255.0.0.0", "IP:172.16.0.0/255.240.0.0", "IP:192.168.0.0/255.255.0.0"),  # RFC 1918
    *("IP:127.0.0.0/255.0.0.0", "IP:169.254.0.0/255.255.0.0", "IP:100.64.0.0/255.192.0.0"),
    *("IP:fc00::/fe00::", "IP:fe80::/ffc0::", "IP:::1/ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"),
    *("DNS:local", "DNS:localhost"),
)


@dataclass(frozen=True, slots=True)
class Certificate:
    """Files of a certificate, its key, and the authority that a phone may be told to trust."""

    file: Path
    key: Path
    authority: Path


def make_certificate(folder: Path, names: frozenset[str]) -> Certificate:
    """The certificate for these host names and addresses, made where there is none that fits.

    Raises CaptureLibraryError without openssl, CaptureError where it fails or the folder cannot be written.
    """
    if shutil.which(_PROGRAM) is None:
        raise CaptureLibraryError(_PROGRAM, "The certificate of the phone's page", "install it: apt install openssl")
    names = frozenset(filter(_is_host, names))
    found = Certificate(folder / "phone.pem", folder / "phone.key", folder / "phone-authority.pem")
    try:
        make_private_folder(folder)
        if not _fits(found, names):
            _make(found, names)
    except (OSError, subprocess.SubprocessError) as error:
        problem = f"gets no certificate for its page ({_last_line(error)})"
        raise CaptureError(_NAME, problem, f"free space in {folder}, or delete the files phone* there") from None
    return found


def _is_host(name: str) -> bool:
    return not ip_address(name).is_unspecified if is_ip(name) else _HOST.fullmatch(name) is not None


def _fits(found: Certificate, names: frozenset[str]) -> bool:
    """Whether the certificate is there, holds for these names, and for some weeks more."""
    is_there = all(file.is_file() for file in (found.file, found.key, found.authority, _names_file(found)))
    if not is_there or _names_file(found).read_text(encoding="ascii").split() != sorted(names):
        return False
    return _has_worked("x509", "-checkend", str(_RENEW_BEFORE_S), "-noout", "-in", str(found.file))


def _names_file(found: Certificate) -> Path:
    return found.file.with_suffix(".names")


def _make(found: Certificate, names: frozenset[str]) -> None:
    """Signs with the authority that is there; with a new one where there is none, or where it may not sign these names."""
    with TemporaryDirectory(prefix="zarbiter-") as temporary:
        work = Path(temporary)
        authority_key = found.key.with_name("phone-authority.key")
        is_known = authority_key.is_file() and found.authority.is_file()
        if is_known:
            (work / "authority.pem").write_bytes(found.authority.read_bytes())
            (work / "authority.key").write_bytes(authority_key.read_bytes())
        if not (is_known and _sign(work, names)):
            _make_authority(work, names)
            if not _sign(work, names):
                raise OSError("the certificate does not hold for this machine's names")
        _names_file(found).unlink(missing_ok=True)  # written last: after a power cut on the way nothing fits
        for file, name in ((found.authority, "authority.pem"), (authority_key, "authority.key")):
            write_private(file, (work / name).read_bytes())
        write_private(found.file, (work / "page.pem").read_bytes())
        write_private(found.key, (work / "page.key").read_bytes())
        write_private(_names_file(found), "\n".join(sorted(names)).encode("ascii"))


def _make_authority(work: Path, names: frozenset[str]) -> None:
    own = [f"IP:{one}/{_mask_of(one)}" if is_ip(one) else f"DNS:{one}" for one in sorted(names)]
    permitted = "\n".join(
        f"permitted;{one.partition(':')[0]}.{number} = {one.partition(':')[2]}"
        for number, one in enumerate((*_LOCAL, *own))
    )
    lines = (
        "[req]\ndistinguished_name = subject\nprompt = no\nx509_extensions = authority",
        "[subject]\nCN = Zarbiter camera page",
        "[authority]\nbasicConstraints = critical, CA:TRUE, pathlen:0\nkeyUsage = critical, keyCertSign",
        "subjectKeyIdentifier = hash\nnameConstraints = critical, @names",
        f"[names]\n{permitted}",
    )
    (work / "authority.cnf").write_text("\n".join(lines), encoding="ascii")
    files = ("-config", "authority.cnf", "-keyout", "authority.key", "-out", "authority.pem")
    _run(work, "req", "-x509", "-sha256", *_KEY, *files, "-days", str(_AUTHORITY_DAYS), "-set_serial", _serial())


def _sign(work: Path, names: frozenset[str]) -> bool:
    """Makes and signs the page's certificate; whether a browser would believe it."""
    alternatives = ",".join(f"{'IP' if is_ip(one) else 'DNS'}:{one}" for one in sorted(names))
    lines = (
        "[req]\ndistinguished_name = subject\nprompt = no",
        "[subject]\nCN = Zarbiter",
        "[page]\nbasicConstraints = critical, CA:FALSE\nkeyUsage = critical, digitalSignature",
        f"extendedKeyUsage = serverAuth\nsubjectAltName = {alternatives}",
    )
    (work / "page.cnf").write_text("\n".join(lines), encoding="ascii")
    _run(work, "req", "-new", "-sha256", *_KEY, "-config", "page.cnf", "-keyout", "page.key", "-out", "page.csr")
    signed = ("-CA", "authority.pem", "-CAkey", "authority.key", "-set_serial", _serial(), "-days", str(_DAYS))
    extensions = ("-extfile", "page.cnf", "-extensions", "page")
    _run(work, "x509", "-req", "-sha256", "-in", "page.csr", *signed, *extensions, "-out", "page.pem")
    return _has_worked("verify", "-CAfile", "authority.pem", "page.pem", folder=work)


def _mask_of(address: str) -> str:
    return "255.255.255.255" if ip_address(address).version == 4 else ":".join(["ffff"] * 8)


def _serial() -> str:
    return f"0x{secrets.token_hex(15)}"


def _run(folder: Path, *arguments: str) -> None:
    subprocess.run(  # noqa: S603 - the names among the arguments' files were checked
        [_PROGRAM, *arguments],
        cwd=folder,
        check=True,
        capture_output=True,
        stdin=subprocess.DEVNULL,
        timeout=_ENDS_WITHIN_S,
    )


def _has_worked(*arguments: str, folder: Path | None = None) -> bool:
    try:
        _run(folder or Path(), *arguments)
    except subprocess.CalledProcessError:
        return False
    return True


def _last_line(error: Exception) -> str:
    if isinstance(error, subprocess.CalledProcessError):
        lines = bytes(error.stderr or b"").decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in lines if "error" in line.lower()), "openssl failed")[:120]
    return str(getattr(error, "strerror", None) or error)
