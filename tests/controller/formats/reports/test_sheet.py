import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from pathlib import Path

import pytest

from controller.cli import main
from controller.formats.reports.board_svg import board_svg
from controller.formats.reports.sheet import sheet_html
from controller.match import events as match_events
from controller.match.event_values import Occasion
from controller.match.events import Mode
from controller.match_log import EvidencePicture, PictureKind, create_match
from controller.rules import RULESETS, Player, ResultKind, Rule, Ruleset, get_ruleset
from controller.rules.grasshopper import game as grasshopper
from tests.controller.formats.match_samples import logged
from tests.controller.formats.simulated_matches import simulated_match
from tests.controller.match_log.match_files import noise

START = "00000050300005000000000020/00000050300005000000000020"
OTHER = "00000060300104000000000020/00000050300005000000000020"
EVIL = '<script>alert("1")</script>&\u202e\x07'


class Tags(HTMLParser):
    """Records every opened tag and the unclosed ones."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in ("meta", "br", "img"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def tags_of(page: str) -> Tags:
    tags = Tags()
    tags.feed(page)
    tags.close()
    assert not tags.open
    return tags


@pytest.mark.parametrize("game", ["backgammon", "hypergammon", "long_nardy", "tavla", "plakoto", "fevga"])
def test_every_game_has_a_sheet(game: str) -> None:
    """With rows for all turns and the final board; every tag is closed and nothing is fetched."""
    match = logged(simulated_match(6, game, 1), game)
    page = sheet_html(match)
    tags = tags_of(page)
    assert tags.seen.count("svg") == len(match.games) + 1
    assert "src=" not in page
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)", page)
    for turn in match.games[0].played_turns:
        assert f"{'-'.join(map(str, turn.roll))}: {turn.play}" in page


def test_names_and_plays_are_escaped() -> None:
    occasion = Occasion(EVIL, EVIL, EVIL, EVIL, EVIL, EVIL)
    events = (
        match_events.MatchStarted(0, "backgammon", None, EVIL, Mode.TEACH, EVIL, EVIL, 5, occasion=occasion),
        match_events.GameStarted(0, 1, START, Player.WHITE),
        match_events.DiceRolled(1, Player.WHITE, (3, 1)),
        match_events.PlayMade(2, Player.WHITE, (3, 1), EVIL, START, OTHER, "end_turn"),
        match_events.DiceRolled(3, Player.BLACK, (3, 1)),
        match_events.PlayRefused(4, Player.BLACK, (3, 1), OTHER, START, (Rule.OPPONENT_MOVED,), (EVIL,)),
        match_events.PlayCondoned(5, Player.BLACK, (3, 1), OTHER, START, (Rule.OPPONENT_MOVED,), EVIL),
    )
    page = sheet_html(logged(events))
    assert "script" not in tags_of(page).seen
    assert not {"\x07", "\u202e"} & set(page)


def test_an_unrecognised_play_is_shown_with_the_board_before_it() -> None:
    events = (
        match_events.MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, "A", "B", 5),
        match_events.GameStarted(0, 1, START, Player.WHITE),
        match_events.DiceRolled(1, Player.WHITE, (3, 1)),
        match_events.PlayUnclear(2, Player.WHITE, ("8/5 6/5",), ("B6",), "Say it."),
    )
    page = sheet_html(logged(events))
    assert '3-1: <span class="bad">not recognised</span>' in page
    assert "Turn 1, A with 3-1: before" in page


def test_a_sheet_says_who_confirmed_the_score_and_which_log_it_is_of(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The QR code holds the head, which `log verify --head` finds again; the certificate names director and digests."""
    path, out = tmp_path / "match.zmatch", tmp_path / "sheet.html"
    certified = match_events.SetUpCertified(0, "Dora <b>", "ab" * 32, "2026-03-05T10:00:00+00:00", 0.8, "cd" * 32)
    with create_match(path, "backgammon") as log:
        log.append(
            (
                match_events.MatchStarted(0, "backgammon", None, "casual", Mode.TOURNAMENT, "Ann", "Ben", 1),
                certified,
                match_events.GameStarted(0, 1, START, Player.WHITE),
                match_events.GameWon(5, Player.WHITE, ResultKind.SINGLE, 1, 1, 0),
                match_events.MatchWon(5, Player.WHITE),
                match_events.ResultConfirmed(6, Player.WHITE, 1, 0),
            )
        )
    assert main(["export", str(path), "--format", "sheet", "-o", str(out)]) == 0
    page = out.read_text(encoding="utf-8")
    tags_of(page)
    assert page.count("has confirmed the score at the table") == 1
    assert "Set up by Dora &lt;b&gt;; board calibrated 2026-03-05T10:00:00+00:00, 0.8 mm off on average." in page
    (head,) = re.findall(r"Head of the log after 6 events: ([0-9a-f]{64})", page)
    assert page.count("<title>QR code of the head</title>") == 1
    assert main(["log", "verify", str(path), "--head", head]) == 0
    assert main(["log", "show", str(path)]) == 0
    assert f"Calibration SHA-256 {'ab' * 32}" in capsys.readouterr().out


def test_photographs_of_disputed_turns(tmp_path: Path) -> None:
    """On request they are embedded."""
    path, out = tmp_path / "match.zmatch", tmp_path / "sheet.html"
    with create_match(path, "backgammon") as log:
        log.append(
            (
                match_events.MatchStarted(0, "backgammon", None, "casual", Mode.TEACH, "A", "B", 5),
                match_events.GameStarted(0, 1, START, Player.WHITE),
                match_events.DiceRolled(1, Player.WHITE, (3, 1)),
            )
        )
        refused = match_events.PlayRefused(4, Player.WHITE, (3, 1), START, OTHER, (Rule.WRONG_NUMBERS,), ("No.",))
        log.append((refused,), [EvidencePicture(PictureKind.AFTER, noise())])
    for options, count in (((), 0), (("--pictures",), 1)):
        assert main(["export", str(path), "--format", "sheet", *options, "-o", str(out)]) == 0
        assert out.read_text(encoding="utf-8").count('src="data:image/jpeg;base64,/9j/') == count


def circles(picture: str) -> int:
    root = ET.fromstring(picture)  # noqa: S314 - we wrote it
    return len(root.findall("{*}circle"))


class TestBoards:
    def test_the_start(self) -> None:
        """Thirty checkers, at most five in a column."""
        assert circles(board_svg(START, get_ruleset("backgammon"), "start")) == 30

    def test_tall_stacks_carry_their_height(self) -> None:
        head = "0" * 24 + "f0"
        picture = board_svg(f"{head}/{head}", get_ruleset("long_nardy"), "start")
        assert circles(picture) == 10
        assert picture.count(">15<") == 2 + 1  # and the number of the point

    @pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: str(rules.name))
    def test_every_game(self, rules: Ruleset) -> None:
        events = (
            match_events.MatchStarted(0, rules.name, None, "casual", Mode.TEACH, "A", "B", 1),
            match_events.GameStarted(0, 1, START, None),
        )
        assert sheet_html(logged(events, rules.name))

    def test_grasshopper(self) -> None:
        assert "hand" in board_svg(grasshopper.to_text(grasshopper.START), None, "start")

    @pytest.mark.parametrize("position", ["", "nonsense", "1/2/3/4", "x" * 500, "<b>"])
    def test_invalid_text_becomes_a_picture_of_text(self, position: str) -> None:
        ET.fromstring(board_svg(position, get_ruleset("backgammon"), "?"))  # noqa: S314 - we wrote it
        ET.fromstring(board_svg(position, None, "?"))  # noqa: S314 - we wrote it
