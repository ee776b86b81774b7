"""What is said, in the words of a language and as a voice says them."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from controller.match.seating import Seating
from controller.refereeing.table import Table
from controller.rules.grasshopper.game import GrasshopperRules
from controller.rules.player import BAR, POINTS, Direction, Player
from controller.speech.pack import Pack
from controller.speech.said import Listed, Named, Places, Plain, Plays, Points, Roll, Said, Sentence, Value

_BESIDE = {0: "place.tray", BAR: "place.bar", BAR + 1: "place.reserve"}
_OF_NOTATION = {"bar": "place.bar", "off": "place.tray"}


@dataclass(frozen=True, slots=True)
class Scene:
    """Who plays, and the number that each gives to a place of the picture."""

    names: Mapping[Player, str]
    numbers: Mapping[Player, Mapping[str, int]]


def scene_of(table: Table, seating: Seating | None) -> Scene:
    """With the usual seating until it is known."""
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
    return Scene({Player.WHITE: table.white, Player.BLACK: table.black}, numbers)


@dataclass(frozen=True, slots=True)
class Speaker:
    """Words sentences in the language of its pack."""

    pack: Pack
    scene: Scene
    persian_names: bool = False

    def all(self, sentences: Sequence[Sentence]) -> str:
        return " ".join(map(self._value, sentences))

    def _value(self, value: Value) -> str:
        match value:
            case Plain():
                return value.text
            case Said():
                return self.pack.text(value.key, {name: self._value(each) for name, each in value.values.items()})
            case Named():
                return self._player(value.player)
            case Places():
                return self._places(value)
            case Points():
                beside = [self._text(_BESIDE[point]) for point in value.points if point in _BESIDE]
                return self._list([*self._points([p for p in value.points if p not in _BESIDE]), *beside])
            case Roll():
                return self._roll(value.numbers)
            case Plays():
                return self._or([self._play(play) for play in value.plays])
            case Listed():
                return self._list([self._value(part) for part in value.parts])
            case _:
                return str(value)

    def _text(self, key: str, **values: str) -> str:
        return self.pack.text(key, values)

    def _player(self, player: Player) -> str:
        """A name that nobody chose is a word of the language."""
        name = self.scene.names[player]
        return self._text(f"player.{name}") if self.pack.has(f"player.{name}") else name

    def _places(self, value: Places) -> str:
        numbers = self.scene.numbers[value.player or Player.WHITE]
        points = sorted((numbers[place] for place in value.places if place in numbers), reverse=True)
        beside = [self._text(f"place.{place}") for place in value.places if place not in numbers]
        return self._list([*self._points(points), *beside])

    def _points(self, points: Sequence[int]) -> list[str]:
        if not points:
            return []
        key = "place.points" if len(points) > 1 else "place.point"
        return [self._text(key, points=self._list([*map(str, points)]))]

    def _roll(self, numbers: tuple[int, ...]) -> str:
        name = self.pack.persian.get("-".join(map(str, sorted(numbers, reverse=True)))) if self.persian_names else None
        return name or ", ".join(map(str, numbers))

    def _play(self, play: str) -> str:
        """`24/18*/13(2)` is from 24 to 13; what is hit or done twice is seen on the board."""
        return ", ".join(map(self._step, play.split()))

    def _step(self, step: str) -> str:
        places = re.split(r"[/-]", re.sub(r"\*|\(\d\)", "", step))
        words = [self._text(_OF_NOTATION[place]) if place in _OF_NOTATION else place for place in places]
        return step if len(words) < 2 else self._text("speech.step", **{"from": words[0], "to": words[-1]})

    def _list(self, words: list[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return self._text("list.comma", first=words[0], rest=self._list(words[1:]))

    def _or(self, words: list[str]) -> str:
        if len(words) < 2:
            return "".join(words)
        return self._text("list.or", first=self._list(words[:-1]), last=words[-1])
