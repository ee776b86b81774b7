"""The games that match files of other programs know, and which rules may differ without making another game."""

from dataclasses import dataclass, replace
from enum import Enum

from controller.formats.match_model import MatchHistory
from controller.rules import GAMES, Ruleset, get_ruleset


class NotForThisGameError(ValueError):
    """The format cannot represent the game; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """The names of a variation: `tag` in .mat headers, `rule` in the RU property of .sgf; both empty for backgammon."""

    game: str
    tag: str
    rule: str


class Variation(Enum):
    """The games that GNU Backgammon shares with us, with its spelling."""

    BACKGAMMON = Spelling("backgammon", "", "")
    NACKGAMMON = Spelling("nackgammon", "NackGammon", "Nackgammon")
    HYPERGAMMON = Spelling("hypergammon", "HyperGammon (3)", "Hypergammon3")

    @property
    def rules(self) -> Ruleset:
        return get_ruleset(self.value.game)


def find_variation(match: MatchHistory) -> Variation:
    """The variation of a match. Raises NotForThisGameError for any other game, which would be replayed wrongly."""
    rules = match.rules
    if rules is not None:
        for variation in Variation:
            if _strip_irrelevant_rules(rules, variation.rules) == variation.rules:
                return variation
    known = ", ".join(one.value.game for one in Variation)
    reason = "has rules of its own" if match.game not in GAMES else "is none of them"
    raise NotForThisGameError(
        f"only {known} have this format, and {match.game} {reason}: another program would replay its plays as"
        " backgammon; write jsonl or a sheet instead"
    )


def _strip_irrelevant_rules(rules: Ruleset, base: Ruleset) -> Ruleset:
    """The rules with the base's values for everything that is not needed to replay the plays."""
    return replace(
        rules,
        name=base.name,
        opening=base.opening,
        winner_starts=base.winner_starts,
        cube=base.cube,
        cap=base.cap,
        beaver=base.beaver,
        auto_limit=base.auto_limit,
        jacoby=base.jacoby,
        white_head=base.white_head,
        sense=base.sense,
        dice_half=base.dice_half,
        dice_on_checker=base.dice_on_checker,
        dice_together=base.dice_together,
    )
