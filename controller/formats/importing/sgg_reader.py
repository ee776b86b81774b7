"""Reads GamesGrid's match files (.sgg): one action a line, with tabs instead of columns.

    Anna                 vs.            Boris
    Thursday November 21, 2002
    Crawford: Yes
    Game 1.0-0/5
    1<TAB>31: 8/5, 6/5           the first player; the second has one tab more
    1<TAB><TAB>62: O-O           no legal move
    2<TAB>Double to 2
    2<TAB><TAB>Accept
    Anna wins 2 points.

A throw often stands on a line of its own before its play, and lines are repeated. A beaver has no take after it.
"""

import re
from dataclasses import dataclass, field, replace

from controller.formats import transcript
from controller.formats.importing.play_parser import PlayTextError, parse_paths
from controller.formats.limits import MOST_GAMES, MOST_LINE, MOST_TURNS_OF_GAME
from controller.formats.variations import Variation
from controller.match import CubeAct, Occasion
from controller.rules import Player

_PLAYERS = re.compile(r"\s*(\S.{0,100}?)\s+vs\.\s+(\S.{0,100})")
_GAME = re.compile(r"Game (\d{1,5})\.(\d{1,5})(\*?)-(\d{1,5})(\*?)(?:/(\d{1,5}))?")
_ACTION = re.compile(r"\d{1,4}\t(\t?)(.*)")
_THROW = re.compile(r"([1-6])([1-6]):?\s*(.*)")
_WIN = re.compile(r"(.{1,100}?)\s+wins (\d{1,5}) points?")
_DATE = re.compile(r"[A-Z][a-z]+day,? ([A-Z][a-z]+) (\d{1,2}), (\d{4})")
_MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
_VARIANTS = {
    "": Variation.BACKGAMMON,
    "backgammon": Variation.BACKGAMMON,
    "nackgammon": Variation.NACKGAMMON,
    "hypergammon": Variation.HYPERGAMMON,
}
_WORDS = {
    "double": CubeAct.OFFERED,
    "beaver": CubeAct.BEAVERED,
    "raccoon": CubeAct.BEAVERED,
    "accept": CubeAct.TAKEN,
    "pass": CubeAct.DROPPED,
}
_DANCE = "o-o"


@dataclass(slots=True)
class _SggFile:
    names: tuple[str, str]
    tags: dict[str, str] = field(default_factory=dict)
    place: str = ""
    length: int = 0
    games: list[transcript.GameTranscript] = field(default_factory=list)
    entries: list[transcript.TranscriptEntry] = field(default_factory=list)
    problems: list[transcript.Problem] = field(default_factory=list)


def is_sgg(text: str) -> bool:
    lines = text[:10_000].splitlines()
    return any(_PLAYERS.fullmatch(line.rstrip()) for line in lines) and any(_GAME.match(line) for line in lines)


def read_sgg(text: str) -> transcript.Transcript:
    """Raises UnreadableFileError for an unknown game and beyond the limits."""
    lines = text.splitlines()
    found = next((one for one in map(_PLAYERS.fullmatch, (line.rstrip() for line in lines)) if one is not None), None)
    if found is None:
        raise transcript.UnreadableFileError("it has no line 'NAME vs. NAME'")
    read = _SggFile((found[1].strip(), found[2].strip()))
    for number, line in enumerate(lines, 1):
        if len(line) > MOST_LINE:
            raise transcript.UnreadableFileError(f"line {number} has more than {MOST_LINE:,} characters")
        _read_line(read, number, line)
    _end_game(read)
    variation = _VARIANTS.get(read.tags.get("variant", "").lower())
    if variation is None:
        raise transcript.UnreadableFileError(f"it is a match of {read.tags['variant'][:40]!r}, which is not read")
    crawford = read.tags.get("crawford", "Yes") == "Yes"
    occasion = Occasion(
        "GamesGrid", date=read.tags.get("date", ""), crawford=crawford, jacoby=read.tags.get("jacoby") == "Yes"
    )
    return transcript.Transcript(
        *read.names,
        read.length,
        variation,
        tuple(read.games),
        occasion,
        crawford if read.length > 1 else None,
        tuple(read.problems),
    )


def _read_line(read: _SggFile, number: int, line: str) -> None:
    game, action = _GAME.match(line), _ACTION.match(line)
    win = _WIN.match(line)
    if game is not None:
        _end_game(read)
        if len(read.games) >= MOST_GAMES:
            raise transcript.UnreadableFileError(f"it has more than {MOST_GAMES:,} games")
        read.length = int(game[6] or 0)
        crawford = bool(game[3] or game[5]) if read.length > 1 else None
        read.games.append(transcript.GameTranscript(number, (int(game[2]), int(game[4])), (), crawford))
    elif not read.games:
        _read_tag(read, line)
    elif action is not None:
        player = Player.BLACK if action[1] else Player.WHITE
        _read_action(read, number, player, action[2].strip())
    elif win is not None and win[1].strip() in read.names:
        player = (Player.WHITE, Player.BLACK)[read.names.index(win[1].strip())]
        read.entries.append(transcript.WinEntry(number, player, int(win[2])))


def _read_tag(read: _SggFile, line: str) -> None:
    date = _DATE.match(line)
    if date is not None and date[1] in _MONTHS:
        read.tags["date"] = f"{date[3]}-{_MONTHS.index(date[1]) + 1:02}-{int(date[2]):02}"
    key, colon, value = line.partition(":")
    if colon and key.strip().lower() != "date":  # a date is only what was read as one
        read.tags[key.strip().lower()] = value.strip()


def _read_action(read: _SggFile, number: int, player: Player, text: str) -> None:
    """Adds the action, unless the line before says it too."""
    throw = _THROW.match(text)
    entry: transcript.TranscriptEntry | None
    if throw is not None and throw[3].lower().startswith("resign"):
        _add(read, _unplayed(number, player, throw))
        entry = transcript.ResignationEntry(number, player)
    elif throw is not None:
        entry = _build_throw(read, number, player, throw)
    elif text.lower().startswith("resign"):
        entry = transcript.ResignationEntry(number, player)
    else:
        act = _WORDS.get(text.split()[0].lower()) if text else None
        entry = None if act is None else transcript.CubeEntry(number, player, act)
    if entry is None:
        sentence = f"line {number}: {text[:60]!r} is no turn; it was passed over"
        if text:
            read.problems.append(
                transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, number, len(read.games))
            )
        return
    _add(read, entry)


def _build_throw(
    read: _SggFile, number: int, player: Player, throw: re.Match[str]
) -> transcript.TranscriptEntry | None:
    play = throw[3].strip()
    if not play:
        return _unplayed(number, player, throw)
    roll = _roll(throw)
    try:
        paths = () if play.lower() == _DANCE else parse_paths(play)
    except PlayTextError:
        sentence = f"line {number}: {play[:60]!r} is no play"
        read.problems.append(transcript.Problem(transcript.ProblemKind.UNREADABLE, sentence, number, len(read.games)))
        return _unplayed(number, player, throw)
    text = "" if play.lower() == _DANCE else play
    return transcript.ThrowEntry(number, player, roll, transcript.PlayForm.PLAYED, paths, text=text)


def _unplayed(number: int, player: Player, throw: re.Match[str]) -> transcript.ThrowEntry:
    return transcript.ThrowEntry(number, player, _roll(throw), transcript.PlayForm.NOT_PLAYED)


def _roll(throw: re.Match[str]) -> tuple[int, int]:
    first, second = int(throw[1]), int(throw[2])
    return max(first, second), min(first, second)


def _add(read: _SggFile, entry: transcript.TranscriptEntry) -> None:
    """A throw on its own is replaced by its play; what a player does twice running is the same line again."""
    last = read.entries[-1] if read.entries else None
    if isinstance(last, transcript.ThrowEntry) and isinstance(entry, transcript.ThrowEntry):
        if last.player is entry.player and last.roll == entry.roll:
            if last.play_form is transcript.PlayForm.NOT_PLAYED:
                read.entries[-1] = entry
            return
    elif isinstance(last, transcript.CubeEntry) and replace(last, line=entry.line) == entry:
        return
    read.entries.append(entry)
    if len(read.entries) > 2 * MOST_TURNS_OF_GAME:
        raise transcript.UnreadableFileError(f"line {entry.line}: a game has more than {MOST_TURNS_OF_GAME:,} turns")


def _end_game(read: _SggFile) -> None:
    if read.games:
        last = read.games[-1]
        read.games[-1] = transcript.GameTranscript(last.line, last.score, tuple(read.entries), last.is_crawford)
    read.entries = []
