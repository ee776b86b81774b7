"""Reads GNU Backgammon's .sgf files, whose format `sgf_writer.py` describes; unknown properties are ignored."""

from dataclasses import dataclass, field

from controller.formats import transcript
from controller.formats.importing.sgf_parser import LETTERS, SgfNode, SgfTree, parse_coordinate, parse_sgf
from controller.formats.importing.sgf_remarks import read_remark
from controller.formats.variations import Variation
from controller.match import CubeAct, Occasion, Remark
from controller.rules import BAR, OFF, Player, Setup, Side

_BACKGAMMON = "6"
_RULES = {one.value.rule.lower(): one for one in Variation if one.value.rule}
_OTHER_GAMES = {"hypergammon1", "hypergammon2"}
_ACTS = {"double": CubeAct.OFFERED, "take": CubeAct.TAKEN, "drop": CubeAct.DROPPED}
_MOST_PLAYLETTERS = 8  # four steps from and to
_SETUP_PROPERTIES = ("AW", "AB", "AE")
_MOST_SETUP_CHECKERS = 50  # a board has thirty checkers


class _NodeError(ValueError):
    """A node that cannot be read; the text is part of a sentence."""


@dataclass(slots=True)
class _SgfBoard:
    """Counts by own coordinate, with the bar at 25; the missing checkers of the game are off."""

    checkers: int
    counts: dict[Player, list[int]] = field(default_factory=dict)

    def apply_setup(self, node: SgfNode) -> None:
        """Raises _NodeError."""
        if any(len(node.properties.get(name, [])) > _MOST_SETUP_CHECKERS for name in _SETUP_PROPERTIES):
            raise _NodeError(f"more than {_MOST_SETUP_CHECKERS} places are put")
        for player in Player:
            counts = self.counts[player]
            for letter in _expand_ranges(node.properties.get("AE", [])):
                counts[parse_coordinate(letter, player) or OFF] = 0
            for letter in _expand_ranges(node.properties.get(f"A{player.value}", [])):
                counts[parse_coordinate(letter, player) or OFF] += 1

    @property
    def setup(self) -> Setup:
        sides = {
            player: Side(self.checkers - sum(counts[1:]), tuple(counts[1:25]), counts[BAR])
            for player, counts in self.counts.items()
        }
        return Setup(sides[Player.WHITE], sides[Player.BLACK])


def read_sgf(text: str) -> transcript.Transcript:
    """Raises UnreadableFileError if the text has no game of backgammon."""
    parsed = parse_sgf(text)
    trees = [tree for tree in parsed if tree.nodes]
    games = [tree for tree in trees if tree.nodes[0].first_value("GM").strip() in ("", _BACKGAMMON)]
    if not games:
        raise transcript.UnreadableFileError("there is no game of backgammon in it (GM[6])")
    first = games[0].nodes[0]
    rules = _parse_rules(first)
    variation = _find_variation(rules)
    problems: list[transcript.Problem] = []
    transcripts = tuple(_build_game(tree, number, variation, problems) for number, tree in enumerate(games, 1))
    if not parsed[-1].is_whole and not parsed[-1].nodes:
        line = parsed[-1].broken_line
        sentence = f"line {line}: the file breaks off before another game; what stands before is kept"
        problems.append(transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, line))
    return transcript.Transcript(
        first.first_value("PW").strip() or "White",
        first.first_value("PB").strip() or "Black",
        _parse_match_info(first).get("length", 0),
        variation,
        transcripts,
        Occasion(
            site=first.first_value("PC"),
            event=first.first_value("EV"),
            round=first.first_value("RO"),
            date=first.first_value("DT"),
            transcriber=first.first_value("AN"),
            jacoby="jacoby" in rules,
        ),
        "crawford" in rules if "RU" in first.properties and _parse_match_info(first).get("length", 0) > 1 else None,
        tuple(problems),
    )


def _parse_rules(root: SgfNode) -> set[str]:
    return {rule.strip().lower() for value in root.properties.get("RU", []) for rule in value.split(":")}


def _find_variation(rules: set[str]) -> Variation:
    if rules & _OTHER_GAMES:
        raise transcript.UnreadableFileError(
            "it is hypergammon with fewer than three checkers, which is not played here"
        )
    return next((_RULES[rule] for rule in rules if rule in _RULES), Variation.BACKGAMMON)


def _parse_match_info(root: SgfNode) -> dict[str, int]:
    info = {}
    for value in root.properties.get("MI", []):
        name, _, number = value.partition(":")
        if len(number) <= 5 and number.isascii() and number.isdigit():
            info[name] = int(number)
    return info


def _build_game(
    tree: SgfTree, number: int, variation: Variation, problems: list[transcript.Problem]
) -> transcript.GameTranscript:
    root = tree.nodes[0]
    info = _parse_match_info(root)
    entries: list[transcript.TranscriptEntry] = []
    board = _make_start_board(variation)
    is_whole = tree.is_whole
    program = root.first_value("AP").partition(":")[0].strip()
    for node in tree.nodes:
        try:
            entries.extend(_build_entries(node, board))
            remark = read_remark(node, program)
            if remark != Remark():
                entries.append(transcript.RemarkEntry(node.line, remark))
        except _NodeError as error:
            sentence = f"line {node.line}: game {number}: {error}; the rest of the game is not kept"
            problems.append(transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, node.line, number))
            is_whole = False
            break
    if not tree.is_whole:
        sentence = f"line {tree.broken_line}: game {number} breaks off here; what stands before is kept"
        problems.append(transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, tree.broken_line, number))
    win = _parse_win(root)
    if win is not None:
        entries.append(win)
    score = (info["ws"], info["bs"]) if "ws" in info and "bs" in info else None
    rules = _parse_rules(root)
    is_crawford = "crawfordgame" in rules if "crawford" in rules else None
    return transcript.GameTranscript(root.line, score, tuple(entries), is_crawford, is_whole=is_whole)


def _build_entries(node: SgfNode, board: _SgfBoard) -> list[transcript.TranscriptEntry]:
    entries: list[transcript.TranscriptEntry] = []
    if any(name in node.properties for name in _SETUP_PROPERTIES):
        board.apply_setup(node)
        entries.append(transcript.BoardEntry(node.line, board.setup))
    for player in Player:
        values = node.properties.get(player.value, [])
        entries.extend(_parse_action(node.line, player, value.strip()) for value in values)
    dice, turn = node.first_value("DI"), node.first_value("PL")
    if len(dice) == 2 and set(dice) <= set("123456") and turn[:1].upper() in ("W", "B"):
        player = Player(turn[0].upper())
        entries.append(transcript.ThrowEntry(node.line, player, _parse_dice(dice), transcript.PlayForm.NOT_PLAYED))
    return entries


def _parse_action(line: int, player: Player, value: str) -> transcript.TranscriptEntry:
    act = _ACTS.get(value.lower())
    if act is not None:
        return transcript.CubeEntry(line, player, act)
    dice, letters = value[:2], value[2:].lower()
    if len(dice) < 2 or not set(dice) <= set("123456") or len(letters) > _MOST_PLAYLETTERS or len(letters) % 2:
        raise _NodeError(f"{value[:40]!r} is no play")
    places = [parse_coordinate(letter, player) for letter in letters]
    paths = []
    for source, target in zip(places[::2], places[1::2], strict=True):
        if source is None or target is None or source <= target:
            raise _NodeError(f"{value[:40]!r} is no play")
        paths.append(transcript.CheckerPath((source, target)))
    text = " ".join(f"{path.points[0]}/{path.points[1]}" for path in paths)
    return transcript.ThrowEntry(line, player, _parse_dice(dice), transcript.PlayForm.PLAYED, tuple(paths), text=text)


def _parse_dice(dice: str) -> tuple[int, int]:
    first, second = int(dice[0]), int(dice[1])
    return max(first, second), min(first, second)


def _parse_win(root: SgfNode) -> transcript.WinEntry | None:
    """`W+2` or `B+4R`."""
    value = root.first_value("RE").strip()
    side, plus, number = value.partition("+")
    if not plus or side not in ("W", "B"):
        return None
    digits = number.rstrip("RTF ")[:5]
    points = int(digits) if digits.isascii() and digits.isdigit() else None
    return transcript.WinEntry(root.line, Player(side), points)


def _make_start_board(variation: Variation) -> _SgfBoard:
    board = _SgfBoard(variation.rules.checkers)
    for player in Player:
        board.counts[player] = [0] * 26
        for place, count in variation.rules.start:
            board.counts[player][place] = count
    return board


def _expand_ranges(values: list[str]) -> list[str]:
    """Single letters; `a:y` is expanded to all letters from one to the other."""
    letters: list[str] = []
    for value in values:
        text = value.strip().lower()
        if len(text) == 3 and text[1] == ":" and {text[0], text[2]} <= set(f"{LETTERS}yz"):
            letters.extend(chr(code) for code in range(ord(text[0]), ord(text[2]) + 1))
        else:
            letters.append(text)
    return letters
