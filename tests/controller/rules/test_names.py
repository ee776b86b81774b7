"""The names of games and the words of their traditions."""

from controller.rules import GAMES, NAMES


def test_every_game_has_names() -> None:
    """The eighteen games, each with a display name of its own and a source."""
    assert set(NAMES) == set(GAMES)
    assert len(NAMES) == 18
    assert len({names.display for names in NAMES.values()}) == 18
    assert all(names.source and names.words.source for names in NAMES.values())
    assert all(key == names.game for key, names in NAMES.items())
