"""Phrases as text in a language: for a voice without the signs of notation, for a terminal with them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.match import Seating
from controller.refereeing.match_config import MatchConfig
from controller.rules import BAR, POINTS, Direction, Player
from controller.rules.grasshopper.game import GrasshopperRules
from controller.speech.pack import Pack
from controller.speech.phrases import (
    Phrase,
    PhraseList,
    PhraseValue,
    PlaceNames,
    PlayerName,
    PlayNotations,
    PointNumbers,
    RollNumbers,
    Sentence,
    Verbatim,
)

_OFF_POINT_KEYS = {0: "place.tray", BAR: "place.bar", BAR + 1: "place.reserve"}
_NOTATION_KEYS = {"bar": "place.bar", "off": "place.tray"}


@dataclass(frozen=True, slots=True)
class SpeechContext:
    """The players' names, and the own-path number that each player gives to a place of the picture."""

    names: Mapping[Player, str]
    numbers: Mapping[Player, Mapping[str, int]]


def make_speech_context(table: MatchConfig, seating: Seating | None) -> SpeechContext:
    """Uses the standard seating while the real one is unknown."""
    seating = seating or table.seating or Seating()
    is_grasshopper = isinstance(table.rules, GrasshopperRules)
    direction = Direction.CONTRARY if isinstance(table.rules, GrasshopperRules) else table.rules.direction
    numbers = {
        player: {
            seating.place_of(point, Player.WHITE if is_grasshopper else player, direction).value: point
            for point in POINTS
        }
        for player in Player
    }
    return SpeechContext(table.players.names, numbers)


@dataclass(frozen=True, slots=True)
class PhraseRenderer:
    """Renders phrases in the language of a pack. `in_notation`: to be read, not spoken."""

    pack: Pack
    context: SpeechContext
    persian_names: bool = False
    in_notation: bool = False

    def render(self, sentences: Sequence[Sentence]) -> str:
        return " ".join(map(self._render_value, sentences))

    def _render_value(self, value: PhraseValue) -> str:
        match value:
            case Verbatim():
                return value.text
            case Phrase():
                values = {name: self._render_value(each) for name, each in value.values.items()}
                return self.pack.text(value.key, values)
            case PlayerName():
                return self._render_player(value.player)
            case PlaceNames():
                return self._render_places(value)
            case PointNumbers():
                points = self._render_points([point for point in value.points if point not in _OFF_POINT_KEYS])
                off = [self._render_text(_OFF_POINT_KEYS[point]) for point in value.points if point in _OFF_POINT_KEYS]
                return self._join_with_commas([*points, *off])
            case RollNumbers():
                return self._render_roll(value.numbers)
            case PlayNotations():
                return self._join_with_or([self._render_play(play) for play in value.plays])
            case PhraseList():
                return self._join_with_commas([self._render_value(part) for part in value.parts])
            case _:
                return str(value)

    def _render_text(self, key: str, **values: str) -> str:
        return self.pack.text(key, values)

    def _render_player(self, player: Player) -> str:
        """A default name (White, Black) is translated; a chosen name stays."""
        name = self.context.names[player]
        return self._render_text(f"player.{name}") if self.pack.has(f"player.{name}") else name

    def _render_places(self, value: PlaceNames) -> str:
        numbers = self.context.numbers[value.player or Player.WHITE]
        points = sorted((numbers[place] for place in value.places if place in numbers), reverse=True)
        beside = [self._render_text(f"place.{place}") for place in value.places if place not in numbers]
        return self._join_with_commas([*self._render_points(points), *beside])

    def _render_points(self, points: Sequence[int]) -> list[str]:
        if not points:
            return []
        key = "place.points" if len(points) > 1 else "place.point"
        return [self._render_text(key, points=self._join_with_commas([*map(str, points)]))]

    def _render_roll(self, numbers: tuple[int, ...]) -> str:
        if self.in_notation:
            return "-".join(map(str, numbers))
        name = self.pack.persian.get("-".join(map(str, sorted(numbers, reverse=True)))) if self.persian_names else None
        return name or ", ".join(map(str, numbers))

    def _render_play(self, play: str) -> str:
        """`24/18*/13(2)` becomes "24 to 13"; hits and repetitions are visible on the board and not said."""
        return play if self.in_notation else ", ".join(map(self._render_step, play.split()))

    def _render_step(self, step: str) -> str:
        places = re.split(r"[/-]", re.sub(r"\*|\(\d\)", "", step))
        words = [self._render_text(_NOTATION_KEYS[place]) if place in _NOTATION_KEYS else place for place in places]
        return step if len(words) < 2 else self._render_text("speech.step", **{"from": words[0], "to": words[-1]})

    def _join_with_commas(self, words: list[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return self._render_text("list.comma", first=words[0], rest=self._join_with_commas(words[1:]))

    def _join_with_or(self, words: list[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return self._render_text("list.or", first=self._join_with_commas(words[:-1]), last=words[-1])
