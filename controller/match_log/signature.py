"""Signs a match: HMAC-SHA256 over its last hash, with a key that lies outside the data folder.

Whoever can write the match file can rewrite the whole chain, but cannot sign it again without the key. The signature lies
beside the match in `<match>-signature` and covers all events up to its own; the match may go on afterwards. The
holder of the key can sign anything, so the key has to be kept away from those who are not trusted with the match.
"""

import hashlib
import hmac
import json
import os
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from controller.match_log.errors import DamagedLogError, SignatureError, StorageError
from controller.match_log.replay import read_match
from controller.match_log.wall_clock import utc_now, utc_text
from controller.private_files import FILE_MODE, write_private

SUFFIX = "-signature"
_KEY_BYTES = 32
_KEY = re.compile(rf"[0-9a-f]{{{2 * _KEY_BYTES}}}")
_FORM = 1
_MOST_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Signature:
    """What was signed: the match up to an event, its hash there in hexadecimal, and when, by the wall clock."""

    match_id: str
    n_events: int
    head: str
    signed_utc: str


def signature_path(match: Path) -> Path:
    return match.with_name(f"{match.name}{SUFFIX}")


def load_key(file: Path) -> bytes:
    """Raises SignatureError."""
    try:
        with file.open("rb") as opened:
            text = opened.read(_MOST_BYTES).decode("ascii", "replace").strip()
    except OSError as error:
        raise SignatureError(f"the key {file} cannot be read ({error.strerror or error}); name its file") from None
    if not _KEY.fullmatch(text):
        raise SignatureError(f"{file} holds no key of zarbiter log sign; name its file")
    return bytes.fromhex(text)


def create_key(file: Path) -> None:
    """Makes a new key that only its owner can read. Raises SignatureError, also where the file is there already."""
    try:
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE_MODE)
    except OSError as error:
        raise SignatureError(f"the key {file} cannot be made ({error.strerror or error}); name another file") from None
    try:
        with os.fdopen(handle, "w", encoding="ascii") as opened:
            opened.write(f"{secrets.token_hex(_KEY_BYTES)}\n")
            opened.flush()
            os.fsync(opened.fileno())
    except OSError as error:
        with suppress(OSError):
            file.unlink()
        raise SignatureError(f"the key {file} cannot be made ({error.strerror or error}); name another file") from None


def sign_match(path: Path, key: bytes, clock: Callable[[], datetime] = utc_now) -> Signature:
    """Signs an intact match up to its last event. Raises MatchLogError."""
    record = read_match(path)
    if not record.logged:
        raise SignatureError(f"{path} has no event to sign; sign it when it has been played")
    last = record.logged[-1]
    signed = Signature(record.facts.match_id, last.sequence, last.hash.hex(), utc_text(clock()))
    content = {**_content(signed), "key": _key_id(key), "hmac": _code(signed, key)}
    try:
        write_private(signature_path(path), f"{json.dumps(content, sort_keys=True)}\n".encode())
    except OSError as error:
        raise StorageError(path, error.strerror or str(error), "sign it again when the disk takes it") from error
    return signed


def verify_signature(path: Path, key: bytes) -> Signature:
    """Raises SignatureError where there is none or it is false, and DamagedLogError where the match is another than was signed.

    The chain of the match is not verified beyond what reading does.
    """
    signed = _read_signature(path, key)
    record = read_match(path)
    if signed.match_id != record.facts.match_id or signed.n_events > len(record.logged):
        problem = f"{signed.n_events} events of match {signed.match_id} were signed, and this is another match or a shorter one"
        raise DamagedLogError(path, None, problem)
    if record.logged[signed.n_events - 1].hash.hex() != signed.head:
        raise DamagedLogError(path, None, f"its first {signed.n_events} events are not those that were signed")
    return signed


def _read_signature(path: Path, key: bytes) -> Signature:
    file = signature_path(path)
    try:
        with file.open("rb") as opened:
            found = json.loads(opened.read(_MOST_BYTES))
        form, of_key, code = found["zarbiter_signature"], str(found["key"]), str(found["hmac"])
        signed = Signature(str(found["match"]), int(found["events"]), str(found["head"]), str(found["signed"]))
    except FileNotFoundError:
        raise SignatureError(f"{path} is not signed; zarbiter log sign does that") from None
    except OSError as error:
        raise SignatureError(f"{file} cannot be read ({error.strerror or error}); see to the file") from None
    except (ValueError, LookupError, TypeError, RecursionError):
        raise SignatureError(f"{file} is no signature; take a copy of it from before") from None
    if form != _FORM:
        raise SignatureError(f"{file} was written by another zarbiter (form {form}); use that one")
    if of_key != _key_id(key):
        raise SignatureError(f"{path} was signed with another key; name that one")
    is_true = hmac.compare_digest(code.encode("utf-8", "replace"), _code(signed, key).encode("ascii"))
    if not is_true or signed.n_events < 1:
        raise SignatureError(f"the signature {file} is false: it was changed; do not trust the match")
    return signed


def _content(signed: Signature) -> dict[str, object]:
    return {
        "zarbiter_signature": _FORM,
        "match": signed.match_id,
        "events": signed.n_events,
        "head": signed.head,
        "signed": signed.signed_utc,
    }


def _code(signed: Signature, key: bytes) -> str:
    text = json.dumps(_content(signed), sort_keys=True, separators=(",", ":"))
    return hmac.new(key, text.encode("ascii"), hashlib.sha256).hexdigest()


def _key_id(key: bytes) -> str:
    """Names a key without telling it."""
    return hashlib.sha256(b"zarbiter key " + key).hexdigest()[:16]
