from controller.officiating import CASUAL, PROFILES, USBGF
from controller.rules.ruleset import DiceHalf, DiceOnChecker, Ruleset
from controller.rules.throws import EarlyThrow, ThrowRules

BACKGAMMON = Ruleset("backgammon")
HOUSE = Ruleset("house", dice_half=DiceHalf.RIGHT, dice_on_checker=DiceOnChecker.VALID, dice_together=True)


def test_each_profile_stands_under_its_name() -> None:
    """`--profile` takes these words and no others."""
    assert {name: profile.name for name, profile in PROFILES.items()} == {"casual": "casual", "usbgf": "usbgf"}


def test_casual_leaves_the_dice_to_the_game() -> None:
    """Only an early throw is its own matter: it does not count."""
    assert CASUAL.throw_rules(BACKGAMMON) == ThrowRules()
    expected = ThrowRules(DiceHalf.RIGHT, DiceOnChecker.VALID, dice_together=True, early_throw=EarlyThrow.VOID)
    assert CASUAL.throw_rules(HOUSE) == expected


def test_the_usbgf_takes_dice_on_checkers() -> None:
    """Its other dice clauses are the game's; after a fast roll the opponent chooses."""
    expected = ThrowRules(
        DiceHalf.ANY, DiceOnChecker.VALID, dice_together=False, early_throw=EarlyThrow.OPPONENT_CHOOSES
    )
    assert USBGF.throw_rules(BACKGAMMON) == expected
    assert USBGF.throw_rules(HOUSE).dice_half is DiceHalf.RIGHT
