"""Reads what the backgammon server FIBS answers to `oldmoves`, as its clients saved it.

    Score is 0-0 in a 5 point match.
    anna is X - boris is O
    X: (3 1) 8-5 6-5
    O: (6 2) 1-7 12-14           points of one board; the other player moves upwards
    X: doubles
    O: accepts
    X: wins 2 points

Each game says its players and score anew, and may exchange the signs.
"""

import re
from itertools import groupby

from controller.formats import transcript
from controller.formats.importing.play_parser import PlayTextError, parse_paths
from controller.formats.limits import MOST_GAMES, MOST_LINE, MOST_TURNS_OF_GAME
from controller.formats.transcript import CheckerPath
from controller.formats.variations import Variation
from controller.match import CubeAct
from controller.rules import BAR, Player

_SCORE = re.compile(r"Score is (\d{1,5})-(\d{1,5})(?: in an? (\d{1,5}))?", re.IGNORECASE)
_SIGNS = re.compile(r"\s*(\S+) is X - (\S+) is O")
_ACTION = re.compile(r"\s*([XO]): (.*)")
_THROW = re.compile(r"\(([1-6]) ([1-6])\)(.*)")
_WORDS = {"doubles": CubeAct.OFFERED, "accepts": CubeAct.TAKEN, "rejects": CubeAct.DROPPED}
_WINS = re.compile(r"wins(?: (\d{1,5}))?")


def is_oldmoves(text: str) -> bool:
    head = text[:10_000]
    return _SCORE.search(head) is not None and any(map(_SIGNS.match, head.splitlines()))


def read_oldmoves(text: str) -> tuple[transcript.Transcript, ...]:
    """The matches of a file: another begins where other players or another length stand. Raises UnreadableFileError."""
    games: list[tuple[tuple[str, str], int, transcript.GameTranscript, list[transcript.Problem]]] = []
    lines = text.splitlines()
    score: re.Match[str] | None = None
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_LINE:
            raise transcript.UnreadableFileError(f"line {number} has more than {MOST_LINE:,} characters")
        score = _SCORE.search(line) or score
        signs = _SIGNS.match(line)
        if signs is None or score is None:
            continue
        if len(games) >= MOST_GAMES:
            raise transcript.UnreadableFileError(f"it has more than {MOST_GAMES:,} games")
        names = signs[1], signs[2]
        is_turned = bool(games) and names == games[-1][0][::-1]
        points = int(score[1]), int(score[2])
        problems: list[transcript.Problem] = []
        entries = tuple(_read_actions(lines, number, is_turned=is_turned, problems=problems))
        game = transcript.GameTranscript(number, points[::-1] if is_turned else points, entries)
        games.append((games[-1][0] if is_turned else names, int(score[3] or 0), game, problems))
    matches = [(key, tuple(group)) for key, group in groupby(games, key=lambda one: one[:2])]
    return tuple(
        transcript.Transcript(
            names[0],
            names[1],
            length,
            Variation.BACKGAMMON,
            tuple(game for *_, game, _ in group),
            problems=tuple(problem for *_, problems in group for problem in problems),
        )
        for (names, length), group in matches
    )


def _read_actions(
    lines: list[str], start: int, *, is_turned: bool, problems: list[transcript.Problem]
) -> list[transcript.TranscriptEntry]:
    """The actions after line `start`, up to the next blank line after them."""
    entries: list[transcript.TranscriptEntry] = []
    for number in range(start, len(lines)):
        line = lines[number]
        action = _ACTION.match(line)
        if action is None:
            if entries and not line.strip():
                break
            if _SCORE.search(line) or _SIGNS.match(line):
                break
            continue
        player = Player.WHITE if (action[1] == "X") is not is_turned else Player.BLACK
        entry = _build_entry(number + 1, player, action[2].strip(), problems)
        if entry is not None:
            entries.append(entry)
        if len(entries) > 2 * MOST_TURNS_OF_GAME:
            raise transcript.UnreadableFileError(
                f"line {number + 1}: a game has more than {MOST_TURNS_OF_GAME:,} turns"
            )
    return entries


def _build_entry(
    line: int, player: Player, text: str, problems: list[transcript.Problem]
) -> transcript.TranscriptEntry | None:
    throw, wins = _THROW.match(text), _WINS.match(text)
    if throw is not None:
        return _build_throw(line, player, throw, problems)
    if wins is not None:
        return transcript.WinEntry(line, player, int(wins[1]) if wins[1] else None)
    act = _WORDS.get(text.split()[0].rstrip(".").lower()) if text else None
    if act is not None:
        return transcript.CubeEntry(line, player, act)
    if not text.lower().startswith("wants to resign"):  # the win line says what became of it
        sentence = f"line {line}: {text[:60]!r} is no turn; it was passed over"
        problems.append(transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, line))
    return None


def _build_throw(
    line: int, player: Player, throw: re.Match[str], problems: list[transcript.Problem]
) -> transcript.ThrowEntry:
    first, second = int(throw[1]), int(throw[2])
    roll = max(first, second), min(first, second)
    play = throw[3].strip()
    try:
        paths = _parse(play)
    except PlayTextError:
        sentence = f"line {line}: {play[:60]!r} is no play"
        problems.append(transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, line))
        return transcript.ThrowEntry(line, player, roll, transcript.PlayForm.NOT_PLAYED)
    return transcript.ThrowEntry(line, player, roll, transcript.PlayForm.PLAYED, paths, text=play if paths else "")


def _parse(play: str) -> tuple[CheckerPath, ...]:
    """Paths as they stand; those of the player who moves upwards are turned, so that `parse_paths` takes them."""
    words = play.lower().replace("*", "").split()
    if not words or "can't" in play.lower():
        return ()
    return tuple(path for word in words for path in parse_paths(_downwards(word)))


def _downwards(word: str) -> str:
    """`1-7` is `24/18` on the mover's own path; bar and off stay what they are."""
    source, _, target = word.partition("-")
    ascends = source.isdigit() and target.isdigit() and int(source) < int(target)
    ascends = ascends or (source == "bar" and target.isdigit() and int(target) <= 6)
    ascends = ascends or (target == "off" and source.isdigit() and int(source) >= 19)
    if not ascends:
        return f"{source}/{target}"
    return "/".join(str(BAR - int(place)) if place.isdigit() else place for place in (source, target))
