"""A signature proves that a match is the one that was signed, to whoever has the key."""

import json
from pathlib import Path

import pytest

from controller.match_log import MatchLog, create_match
from controller.match_log.catalogue import delete_match
from controller.match_log.errors import DamagedLogError, SignatureError
from controller.match_log.signature import create_key, load_key, sign_match, signature_path, verify_signature
from tests.controller.match_log.match_files import clock, numbered, written


@pytest.fixture
def path(tmp_path: Path) -> Path:
    written(tmp_path / "match.zmatch")
    return tmp_path / "match.zmatch"


@pytest.fixture
def key(tmp_path: Path) -> bytes:
    create_key(tmp_path / "key")
    return load_key(tmp_path / "key")


def test_a_signed_match_that_goes_on(path: Path, key: bytes) -> None:
    """The signature holds for the events up to it, also when more follow; its file is private."""
    signed = sign_match(path, key, clock)
    assert (signed.n_events, signed.signed_utc) == (21, "2026-03-05T14:22:33.123Z")
    assert verify_signature(path, key) == signed
    with MatchLog(path) as log:
        log.append(numbered(22, 22))
    assert verify_signature(path, key) == signed
    assert signature_path(path).stat().st_mode & 0o777 == 0o600


def test_a_match_that_was_rewritten_with_a_new_chain(path: Path, key: bytes, tmp_path: Path) -> None:
    """The chain of the forgery is intact, but it is not what was signed."""
    sign_match(path, key)
    signature = signature_path(path).read_bytes()
    delete_match(path)
    assert not signature_path(path).exists()
    with create_match(path, "tavla", (*numbered(1, 20), *numbered(22, 22)), clock=clock):
        pass
    signature_path(path).write_bytes(signature)
    with pytest.raises(DamagedLogError) as caught:
        verify_signature(path, key)
    assert caught.value.problem == "its first 21 events are not those that were signed"


def test_a_match_that_was_shortened(path: Path, key: bytes, tmp_path: Path) -> None:
    sign_match(path, key)
    shorter = tmp_path / "elsewhere" / path.name
    with create_match(shorter, "tavla", numbered(1, 3), clock=clock):
        pass
    signature_path(path).replace(signature_path(shorter))
    with pytest.raises(DamagedLogError) as caught:
        verify_signature(shorter, key)
    assert caught.value.problem == (
        f"21 events of match {path.stem} were signed, and this is another match or a shorter one"
    )


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("events", 3, "is false: it was changed; do not trust the match."),
        ("head", "0" * 64, "is false: it was changed; do not trust the match."),
        ("signed", "2020-01-01T00:00:00.000Z", "is false: it was changed; do not trust the match."),
        ("hmac", "é", "is false: it was changed; do not trust the match."),
        ("hmac", None, "is false: it was changed; do not trust the match."),
        ("events", "many", "is no signature; take a copy of it from before."),
        ("zarbiter_signature", 2, "was written by another zarbiter (form 2); use that one."),
        ("key", "0" * 16, "was signed with another key; name that one."),
    ],
)
def test_a_signature_that_was_changed(path: Path, key: bytes, field: str, value: object, problem: str) -> None:
    sign_match(path, key)
    content = json.loads(signature_path(path).read_text())
    signature_path(path).write_text(json.dumps({**content, field: value}))
    with pytest.raises(SignatureError) as caught:
        verify_signature(path, key)
    assert str(caught.value).endswith(problem)


@pytest.mark.parametrize("content", [b"", b"[1]", b"\xff\xfe", b"[" * 4000, b'{"zarbiter_signature": 1}'])
def test_a_file_that_is_no_signature(path: Path, key: bytes, content: bytes) -> None:
    signature_path(path).write_bytes(content)
    with pytest.raises(SignatureError) as caught:
        verify_signature(path, key)
    assert str(caught.value) == f"{signature_path(path)} is no signature; take a copy of it from before."


def test_what_cannot_be_signed_or_verified(path: Path, key: bytes, tmp_path: Path) -> None:
    """A match without a signature, an empty match, a key that is there already, and files that are no keys."""
    with pytest.raises(SignatureError, match="is not signed"):
        verify_signature(path, key)
    create_match(tmp_path / "empty.zmatch", "tavla").close()
    with pytest.raises(SignatureError, match="has no event to sign"):
        sign_match(tmp_path / "empty.zmatch", key)
    with pytest.raises(SignatureError, match="cannot be made"):
        create_key(tmp_path / "key")
    assert load_key(tmp_path / "key") == key
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    with pytest.raises(SignatureError, match="holds no key"):
        load_key(path)
    with pytest.raises(SignatureError, match="cannot be read"):
        load_key(tmp_path / "none")
