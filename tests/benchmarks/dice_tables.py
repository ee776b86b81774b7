"""The tables of the dice benchmark: rows of words from scores, with the bars they are held against."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from controller.rules import BadThrow
from tests.benchmarks.board_scores import ratio
from tests.benchmarks.dice_labels import A_HAND, COCKED_FROM_DEG, SEEN_FROM, SURELY_COCKED_DEG
from tests.benchmarks.dice_scores import DieScore, PictureScore, Stray, ThrowScore
from vision.dice.classifier import LIES
from vision.dice.readings import DieState

READABLE_PX = 18.0  # an edge of the upper face; the bars hold for no smaller one
SIZES_PX = (READABLE_PX, 22.0, 28.0, 36.0, 48.0)
NAMED_FROM_DEG = 10.0  # a die that tilts more must be read in its labelled state
THRESHOLDS = (0.5, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9998, 0.9999)

Rows = dict[str, list[str]]

VALUE_COLUMNS = ("dice", "right", "wrong", "not answered", "not found", "right of answered", "answered", "bar")


def asked_of(pictures: Iterable[PictureScore]) -> list[DieScore]:
    return [die for picture in pictures for die in picture.asked]


def readable(dice: Iterable[DieScore]) -> list[DieScore]:
    """The dice that lie flat and are large enough to be read."""
    return [die for die in dice if die.label.is_flat and die.label.size_px >= READABLE_PX]


def value_rows(dice: Sequence[DieScore], bar: str) -> Rows:
    """Rows for the flat dice in view: large enough dice by condition; dice of every size by size."""
    large = readable(dice)
    rows = {"all": [*value_row(large), bar]}
    flat = [die for die in dice if die.label.is_flat]
    for name, own in (*_by_size(flat), *sorted(_by_group(large).items())):
        rows[name] = [*value_row(own), ""]
    return rows


def value_row(dice: Sequence[DieScore]) -> list[str]:
    answered = [die for die in dice if die.is_answered]
    right = sum(die.is_value_right for die in answered)
    return [
        str(len(dice)),
        str(right),
        str(len(answered) - right),
        str(len(dice) - len(answered)),
        str(sum(die.read is None for die in dice)),
        ratio(right, len(answered)),
        ratio(len(answered), len(dice)),
    ]


def _by_size(dice: Sequence[DieScore]) -> Iterator[tuple[str, list[DieScore]]]:
    ends = (0.0, *SIZES_PX, float("inf"))
    for low, high in pairwise(ends):
        own = [die for die in dice if low <= die.label.size_px < high]
        words = (
            f"below {high:g} px" if low == 0 else f"{low:g} to {high:g} px" if np.isfinite(high) else f"{low:g} px on"
        )
        if own:
            yield words, own


def _by_group(dice: Iterable[DieScore]) -> dict[str, list[DieScore]]:
    groups: dict[str, list[DieScore]] = {}
    for die in dice:
        for group in die.groups:
            groups.setdefault(group, []).append(die)
    return groups


ACCEPTED_COLUMNS = ("accepted", "wrong value", "not flat", "tilted 3 to 5 degrees", "bar")


def accepted_rows(dice: Sequence[DieScore]) -> Rows:
    """Rows for all dice. A half hidden die may be accepted, but then its value must be right."""
    kinds = {
        "plainly in view": [die for die in dice if die.label.is_asked],
        "more hidden": [die for die in dice if die.label.visible < SEEN_FROM],
    }
    return {
        name: [
            str(sum(die.is_accepted for die in own)),
            str(len(accepted_wrong(own))),
            str(len(accepted_askew(own))),
            str(sum(die.is_accepted and die.label.is_borderline for die in own)),
            "0 wrong of 3000",
        ]
        for name, own in kinds.items()
        if own
    }


def accepted_wrong(dice: Iterable[DieScore]) -> list[DieScore]:
    return [die for die in dice if die.is_accepted and not die.is_value_right]


def accepted_askew(dice: Iterable[DieScore]) -> list[DieScore]:
    """Dice that are accepted as flat and plainly do not lie flat."""
    return [die for die in dice if die.is_accepted and not die.label.is_flat and not die.label.is_borderline]


SPOILED_COLUMNS = (
    "flat",
    "answered",
    "answered wrongly",
    "accepted",
    "wrong",
    "valid",
    "accepted",
    "refused",
    "does not count",
    "accepted",
    "wrong throws",
)


def spoiled_row(pictures: Sequence[PictureScore]) -> list[str]:
    """Counts for pictures spoiled in one way. A wrong throw is accepted with wrong values or though it does not count."""
    flat = [die for die in asked_of(pictures) if die.label.is_flat]
    answered = [die for die in flat if die.is_answered]
    dice = [die for picture in pictures for die in picture.dice]
    throws = [picture.throw for picture in pictures if picture.throw is not None]
    valid, others = ([throw for throw in throws if (throw.label.reason is None) is good] for good in (True, False))
    counts = (
        len(flat),
        len(answered),
        sum(not die.is_value_right for die in answered),
        sum(die.is_accepted for die in dice),
        len(accepted_wrong(dice)),
        len(valid),
        sum(throw.valid is True for throw in valid),
        sum(throw.valid is False for throw in valid),
        len(others),
        sum(throw.valid is True for throw in others),
        sum(throw.is_wrong for throw in throws),
    )
    return [str(count) for count in counts]


STATE_COLUMNS = ("dice", *(lie.value for lie in LIES), "not found", "right", "accepted as flat", "bar")


def state_rows(dice: Sequence[DieScore]) -> Rows:
    """How often each labelled state was read as each state, whatever the confidence."""
    rows = {name: [*_state_row(own), ""] for name, own in _by_state(dice) if own}
    tilted = [die for die in dice if die.label.tilt_deg > NAMED_FROM_DEG]
    if tilted:
        rows[f"tilt > {NAMED_FROM_DEG:g} degrees"] = [*_state_row(tilted), ">= 97 % right"]
    ruled_on = [die for die in tilted if A_HAND not in die.groups]
    if len(ruled_on) < len(tilted):
        rows["  no hand in view"] = [*_state_row(ruled_on), ""]
    return rows


def _by_state(dice: Sequence[DieScore]) -> Iterator[tuple[str, list[DieScore]]]:
    for state in LIES:
        own = [die for die in dice if die.label.state is state]
        if state is not DieState.COCKED:
            yield state.value, own
            continue
        ends = (0.0, COCKED_FROM_DEG, SURELY_COCKED_DEG, NAMED_FROM_DEG, 20.0, 90.0)
        for low, high in pairwise(ends):
            yield f"cocked, {low:g} to {high:g} degrees", [die for die in own if low <= die.label.tilt_deg < high]


def _state_row(dice: Sequence[DieScore]) -> list[str]:
    return [
        str(len(dice)),
        *(str(sum(die.read is not None and die.read.lies is lie for die in dice)) for lie in LIES),
        str(sum(die.read is None for die in dice)),
        ratio(sum(die.is_state_right for die in dice), len(dice), 1),
        str(sum(die.is_accepted for die in dice)),
    ]


THROW_COLUMNS = ("throws", "accepted", "with wrong values", "refused", "unsure", "not accepted", "bar")


def throw_rows(throws: Sequence[ThrowScore]) -> Rows:
    rows = {}
    valid = [throw for throw in throws if throw.label.reason is None]
    if valid:
        rows["valid"] = [*_throw_row(valid), "<= 1.5 % not accepted"]
        kinds = {
            "dice lie apart": [throw for throw in valid if not throw.label.touching],
            "dice touch": [throw for throw in valid if throw.label.touching],
            "dice can be read": [throw for throw in valid if throw.label.least_px >= READABLE_PX],
            f"a die below {READABLE_PX:g} px": [throw for throw in valid if throw.label.least_px < READABLE_PX],
        }
        rows.update({f"  {name}": [*_throw_row(own), ""] for name, own in kinds.items() if own})
    invalid = [throw for throw in throws if throw.label.reason is not None]
    if invalid:
        rows["does not count"] = [*_throw_row(invalid), ">= 99.5 % not accepted"]
    for reason in BadThrow:
        own = [throw for throw in invalid if throw.label.reason is reason]
        if own:
            rows[f"  {reason.value}"] = [*_throw_row(own), ""]
    return rows


def _throw_row(throws: Sequence[ThrowScore]) -> list[str]:
    accepted = [throw for throw in throws if throw.valid]
    wrong = [throw for throw in accepted if throw.label.reason is None and throw.is_wrong]
    return [
        str(len(throws)),
        str(len(accepted)),
        str(len(wrong)),
        str(sum(throw.valid is False for throw in throws)),
        str(sum(throw.valid is None for throw in throws)),
        ratio(len(throws) - len(accepted), len(throws)),
    ]


STRAY_COLUMNS = ("dice read", "pictures", "of all", "accepted", "doubted", "bar")


def stray_rows(pictures: Sequence[PictureScore]) -> Rows:
    """Dice that were read where there are none."""
    no_die = (Stray.NOTHING, Stray.CUBE)
    rows = {"where no die is": [*_stray_row(pictures, no_die), "<= 1 in 500 pictures"]}
    for kind in Stray:
        rows[f"  {kind.value}" if kind in no_die else kind.value] = [*_stray_row(pictures, (kind,)), ""]
    return rows


def _stray_row(pictures: Sequence[PictureScore], kinds: Sequence[Stray]) -> list[str]:
    own = [[stray for stray in picture.strays if stray.kind in kinds] for picture in pictures]
    with_some = sum(bool(strays) for strays in own)
    return [
        str(sum(map(len, own))),
        str(with_some),
        ratio(with_some, len(pictures)),
        str(sum(stray.is_accepted for strays in own for stray in strays)),
        str(sum(stray.is_doubted for strays in own for stray in strays)),
    ]


ABSTENTION_COLUMNS = ("answered", "wrong", "of answered")


def abstention_rows(dice: Sequence[DieScore]) -> Rows:
    """What each threshold of confidence would give, for dice that are flat and large enough."""
    rows = {}
    for threshold in THRESHOLDS:
        answered = [die for die in dice if die.confidence >= threshold]
        wrong = sum(not die.is_value_right for die in answered)
        rows[f"{threshold:g}"] = [ratio(len(answered), len(dice)), str(wrong), ratio(wrong, len(answered), 3)]
    return rows


TILT_COLUMNS = ("dice", "median", "95 %", "within 2 sigma")


def tilt_rows(dice: Iterable[DieScore]) -> Rows:
    """Differences between labelled and measured tilt in degrees, for dice that were found."""
    kinds: Mapping[str, Callable[[DieScore], bool]] = {
        "flat": lambda die: die.label.is_flat,
        "cocked": lambda die: die.label.state is DieState.COCKED,
        "on or against something else": lambda die: die.label.state not in (DieState.FLAT, DieState.COCKED),
    }
    found = [die for die in dice if die.read is not None]
    rows = {}
    for name, is_of in kinds.items():
        own = [die for die in found if is_of(die)]
        if own:
            errors = [die.tilt_error_deg for die in own]
            within = sum(die.tilt_error_deg <= 2 * die.read.tilt_sigma_deg for die in own if die.read is not None)
            quantiles = (f"{np.quantile(errors, share):.1f}" for share in (0.5, 0.95))
            rows[name] = [str(len(own)), *quantiles, ratio(within, len(own), 1)]
    return rows


CUBE_COLUMNS = ("cubes", "found", "value right", "wrong", "not answered", "read elsewhere")


def cube_rows(pictures: Iterable[PictureScore]) -> Rows:
    """The cube in pictures without a hand; `read elsewhere` counts all pictures."""
    pictures = list(pictures)
    asked = [picture for picture in pictures if picture.cube is not None and picture.cube.is_asked]
    found = [(picture.cube.value, picture.cube_read.value) for picture in asked if picture.cube and picture.cube_read]
    answered = [(truth, value) for truth, value in found if value is not None]
    right = sum(truth == value for truth, value in answered)
    return {
        "cube": [
            str(len(asked)),
            ratio(len(found), len(asked), 1),
            str(right),
            str(len(answered) - right),
            str(len(found) - len(answered)),
            str(sum(picture.cube_astray is not None for picture in pictures)),
        ]
    }


TIME_COLUMNS = ("pictures", "median", "95 %", "bar")
BARRED_SIZE_PX = (1280, 960)


def time_rows(pictures: Iterable[PictureScore]) -> Rows:
    """Milliseconds on one core by size of picture; crops of pictures have many sizes and share one row."""
    kinds: dict[str, list[float]] = {}
    for picture in pictures:
        width, height = picture.size_px
        name = f"{width}x{height}" if height >= 480 else "crops"
        kinds.setdefault(name, []).append(picture.read_ms)
    barred = "{}x{}".format(*BARRED_SIZE_PX)
    return {
        name: [
            str(len(times)),
            *(f"{np.quantile(times, share):.1f}" for share in (0.5, 0.95)),
            "<= 15 ms" if name == barred else "",
        ]
        for name, times in kinds.items()
    }
