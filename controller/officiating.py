"""The rules around the rules: what differs from federation to federation, as data (a profile).

So far a profile says what makes a throw count. A clause whose text nobody here could read is not in it: the USBGF's
"right of the bar" is left to the game, for what it wants of a die on the wrong side is told at second hand only.
"""

from dataclasses import dataclass

from controller.rules.ruleset import DiceOnChecker, Ruleset
from controller.rules.throws import EarlyThrow, ThrowRules


@dataclass(frozen=True, slots=True)
class Profile:
    """One way of officiating; None leaves a clause to the game."""

    name: str
    dice_on_checker: DiceOnChecker | None = None
    early_throw: EarlyThrow = EarlyThrow.VOID

    def throw_rules(self, rules: Ruleset) -> ThrowRules:
        """Which throws count in this game under this profile."""
        on_checker = self.dice_on_checker or rules.dice_on_checker
        return ThrowRules(rules.dice_half, on_checker, rules.dice_together, self.early_throw)


CASUAL = Profile("casual")
# Legal Moves policy 2014 and rules 2017: a die that lies flat on a checker is valid unless an event says otherwise,
# and after a fast roll the opponent chooses.
USBGF = Profile("usbgf", DiceOnChecker.VALID, EarlyThrow.OPPONENT_CHOOSES)

PROFILES = {profile.name: profile for profile in (CASUAL, USBGF)}
