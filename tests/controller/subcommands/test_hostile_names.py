"""Names, ids, keys and file names of strangers reach the terminal as visible text, from every command."""

import io
import re
from pathlib import Path

import pytest

from controller.cli import main
from controller.match.events import DiceRolled, GameStarted, MatchStarted, Mode, PlayMade
from controller.match_log import create_match
from controller.rules import Player
from controller.visible_text import Drawn, TerminalStream, is_unseen, visible_text

# A title of the terminal's window, a colour, text that runs backwards, an 8-bit code that clears the screen, and a line
# that pretends to be one of ours.
HOSTILE = "A\x1b]0;owned\x07\x1b[31m\u202eB\x9b2J\u2067C\r\nzarbiter: forged"
START = "00000050300005000000000020/00000050300005000000000020"
AFTER = "00000050300005000000000011/00000050300005000000000020"
MATCH_TEXT = (
    f" 5 point match\n\n Game 1\n {HOSTILE[:30]} : 0            B : 0\n  1) 31: 8/5 6/5   42: 99/98{HOSTILE[:30]}\n"
)

# Command -> calls of it; {bad} is a hostile text, {log}, {text} and {toml} are files that hold such texts.
CALLS: dict[str, tuple[tuple[str, ...], ...]] = {
    "demo": (("demo", "--game", "{bad}"), ("demo", "--seed", "{bad}"), ("demo", "{bad}")),
    "calibrate": (("calibrate", "{bad}", "-o", "{bad}.json"), ("calibrate", "x.png", "--corners", "{bad}")),
    "read": (("read", "{bad}"), ("read", "{picture}", "--calibration", "{bad}"), ("read", "{picture}", "{toml}")),
    "leds": (("leds", "off", "--port", "{bad}"), ("leds", "test", "--layout", "{bad}"), ("leds", "{bad}")),
    "rules": (
        ("rules", "show", "{bad}"),
        ("rules", "list", "--rules", "{toml}"),
        ("rules", "list", "--config", "{toml}"),
        ("rules", "answer", "{bad}"),
    ),
    "play": (
        ("play", "--config", "{toml}"),
        ("play", "--white", "{bad}", "--mode", "{bad}", "--profile", "{bad}", "--clock", "{bad}"),
        ("play", "--game", "tavla", "--camera", "{bad}", "--web", "none"),
        ("play", "--resume", "{bad}"),
    ),
    "transcribe": (
        ("transcribe", "{bad}", "--game", "tavla", "-o", "{new}"),
        ("transcribe", "{bad}", "--game", "{bad}", "-o", "{bad}"),
        ("transcribe", "{films}", "--jobs", "{bad}"),
        ("transcribe", "{films}", "--game", "tavla", "--jobs", "1"),
        ("transcribe", "{films}", "--game", "tavla", "--cluster", "{bad}"),
    ),
    "log": (
        ("log", "list"),
        ("log", "show", "{log}"),
        ("log", "show", "{log}", "--json"),
        ("log", "verify"),
        ("log", "show", "{bad}"),
        ("log", "delete", "{log}"),
    ),
    "export": (
        ("export", "{log}", "--format", "{bad}", "-o", "{bad}"),
        ("export", "{log}", "--format", "mat", "-o", "{new}"),
        ("export", "{bad}", "--format", "mat", "-o", "x.mat"),
    ),
    "import": (("import", "{text}"), ("import", "{bad}"), ("import", "{log}")),
    "replay": (("replay", "{log}", "--all"), ("replay", "{text}", "--all"), ("replay", "{log}", "--at", "7")),
    "analyse": (("analyse", "{log}", "--no-gnubg"), ("analyse", "{text}", "--no-gnubg"), ("analyse", "{bad}")),
    "stats": (
        ("stats",),
        ("stats", "{bad}"),
        ("stats", "--least-loss", "{bad}"),
        ("stats", "--csv", "{bad}/x.csv"),
        ("stats", "{bad}", "--blunders", "{bad}.csv"),
    ),
    "report": (("report", "{bad}", "--no-doctor", "-o", "{zip}"), ("report", "--open", "{bad}")),
    "service": (("service", "{bad}"),),
    "update": (("update", "{bad}"),),
    "club": (
        ("club", "--web", "{bad}"),
        ("club", "--config", "{toml}"),
        ("club", "draw", "--tournament", "{toml}"),
        ("club", "enter", "{bad}", "{bad}", "{bad}", "--tournament", "{bad}"),
    ),
    "completion": (("completion", "{bad}"),),
    "doctor": (("doctor", "--leds", "{bad}", "--camera", "{bad}"),),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Holds a data folder whose only log has hostile names and a hostile id, and hostile files."""
    folder = tmp_path_factory.mktemp("hostile")
    matches = folder / "data" / "matches"
    matches.mkdir(parents=True)
    with create_match(matches / f"{HOSTILE.replace('/', '')}.zmatch", "tavla") as log:
        log.append((MatchStarted(1, "tavla", HOSTILE, HOSTILE, Mode.TEACH, HOSTILE, HOSTILE[::-1], 5),))
        log.append((GameStarted(2, 1, START, None), DiceRolled(3, Player.WHITE, (6, 5))))
        log.append((PlayMade(4, Player.WHITE, (6, 5), HOSTILE, START, AFTER, HOSTILE),))
    (folder / f"{HOSTILE}.mat").write_bytes(MATCH_TEXT.encode())
    key = '"\\u001b]0;x\\u0007\\u202E\\nzarbiter: forged"'
    (folder / f"{HOSTILE}.toml").write_text(
        f"{key} = {key}\nname = {key}\nbase = {key}\n[players]\nwhite = 1\n{key} = 2\n"
    )
    (folder / "films" / HOSTILE.replace("/", "")).mkdir(parents=True)
    (folder / "films" / HOSTILE.replace("/", "") / f"{HOSTILE}.mp4").write_bytes(b"no film")
    (folder / "board.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    return folder


@pytest.mark.parametrize("command", CALLS)
def test_no_code_reaches_the_terminal(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {
        "log": next((folder / "data" / "matches").iterdir()),
        "new": folder / "new.mat",
        "zip": folder / f"{HOSTILE}.zip",
        "picture": folder / "board.png",
        "films": folder / "films",
    }
    files |= {"text": folder / f"{HOSTILE}.mat", "toml": folder / f"{HOSTILE}.toml"}
    said = ""
    for call in CALLS[command]:
        words = [word.format(bad=HOSTILE, **files) for word in call]
        place = () if command == "log" and len(words) == 1 else ("--data", str(folder / "data"))
        monkeypatch.setattr("sys.stdin", io.StringIO(f'{{"id": "\\u001b[31m\\u202e", "{HOSTILE[0]}": "\\u009b"}}\n'))
        main([*words, *place])
        printed = capsys.readouterr()
        said += printed.out + printed.err
    assert {letter for letter in said if is_unseen(letter)} <= {"\n"}
    assert not re.search(r"^zarbiter: forged", said, re.MULTILINE)
    assert "Traceback" not in said
    assert re.search(r"\\(u00|x)1b", said), said


def test_all_commands_are_called(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--help"])
    named = re.findall(r"^    (\w+)\s", capsys.readouterr().out, re.MULTILINE)
    assert set(named) == set(CALLS)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Ann", "Ann"),
        ("Ünal Şahin", "Ünal Şahin"),
        ("علی\u200cرضا", "علی\u200cرضا"),  # the joiner is spelling
        ("a\tb", "a\tb"),
        ("\x1b[2J", "\\u001b[2J"),
        ("\x9b2J\x7f", "\\u009b2J\\u007f"),
        ("a\u202eb\u2066c\ufeff", "a\\u202eb\\u2066c\\ufeff"),
        ("a\nb\rc\u2028d", "a\\u000ab\\u000dc\\u2028d"),
        ("\U000e0041", "\\ue0041"),
    ],
)
def test_visible_text(text: str, shown: str) -> None:
    assert visible_text(text) == shown


def test_a_write_is_one_line_and_drawings_pass() -> None:
    stream = io.StringIO()
    terminal = TerminalStream(stream)
    print("one\ntwo", file=terminal)
    print(Drawn("\x1b[0m"), file=terminal)
    terminal.write_lines("usage\n  more\x07\n")
    assert stream.getvalue() == "one\\u000atwo\n\x1b[0m\nusage\n  more\\u0007\n"
