"""The statistics of a match as plots: how often each number fell, and the race of each game."""

from controller.formats.match_model import MatchHistory
from controller.formats.reports.match_statistics import MatchStatistics, PipLead
from controller.formats.reports.svg import element, picture, text
from controller.formats.safe_text import one_line
from controller.rules import Player

_WIDTH, _MARGIN, _GAP = 640.0, 44.0, 30.0
_DICE_HEIGHT, _RACE_HEIGHT = 180.0, 150.0
# Distinguishable for colour-blind readers and in greyscale.
_COLOURS = {Player.WHITE: "#d8963c", Player.BLACK: "#2d4a73"}
_MOST_GAMES = 40


def statistics_svg(match: MatchHistory, facts: MatchStatistics) -> str:
    """One picture: the dice at the top, below them a plot for each of the first forty games."""
    parts = [_dice_plot(match, facts, _MARGIN)]
    top = _MARGIN + _DICE_HEIGHT + 2 * _GAP
    for number, leads in enumerate(facts.leads[:_MOST_GAMES], 1):
        if leads:
            parts.append(_race_plot(number, leads, top))
            top += _RACE_HEIGHT + _GAP
    background = element("rect", width=_WIDTH, height=top, fill="white")
    return picture(
        background + "".join(parts), _WIDTH, top, f"Facts of {one_line(match.white)} - {one_line(match.black)}"
    )


def _dice_plot(match: MatchHistory, facts: MatchStatistics, top: float) -> str:
    highest = max((*facts.white.dice, *facts.black.dice, 1))
    base, group = top + _DICE_HEIGHT, (_WIDTH - 2 * _MARGIN) / 6
    parts = [text("How often each number fell", x=_MARGIN, y=top - 18, font_size=14)]
    for number in range(6):
        left = _MARGIN + number * group
        for at, player in enumerate(Player):
            count = facts.for_player(player).dice[number]
            height = (_DICE_HEIGHT - 30) * count / highest
            x = left + group * (0.15 + 0.36 * at)
            parts.append(
                element("rect", x=x, y=base - height, width=group * 0.32, height=height, fill=_COLOURS[player])
            )
            parts.append(text(str(count), x=x + group * 0.16, y=base - height - 4, font_size=11, text_anchor="middle"))
        parts.append(text(str(number + 1), x=left + group / 2, y=base + 16, font_size=12, text_anchor="middle"))
    for at, player in enumerate(Player):
        x = _WIDTH - _MARGIN - 300 + 150 * at
        parts.append(element("rect", x=x, y=top - 28, width=10, height=10, fill=_COLOURS[player]))
        parts.append(text(one_line(match.player_name(player), 16), x=x + 15, y=top - 18, font_size=12))
    return "".join(parts)


def _race_plot(number: int, leads: tuple[PipLead, ...], top: float) -> str:
    """White leads above the middle line."""
    most = max(1, *(abs(lead.pips) for lead in leads))
    middle, half = top + _RACE_HEIGHT / 2, _RACE_HEIGHT / 2 - 14
    width = _WIDTH - 2 * _MARGIN
    points = " ".join(
        f"{_MARGIN + width * at / max(1, len(leads) - 1):.1f},{middle - half * lead.pips / most:.1f}"
        for at, lead in enumerate(leads)
    )
    return "".join(
        (
            text(f"Game {number}: White's lead in pips", x=_MARGIN, y=top, font_size=14),
            element("line", x1=_MARGIN, x2=_WIDTH - _MARGIN, y1=middle, y2=middle, stroke="#888"),
            text(f"+{most}", x=_MARGIN - 6, y=middle - half + 4, font_size=11, text_anchor="end"),
            text(f"-{most}", x=_MARGIN - 6, y=middle + half + 4, font_size=11, text_anchor="end"),
            element("polyline", points=points, fill="none", stroke="#2d4a73", stroke_width=2),
            text(
                f"turns {leads[0].turn} to {leads[-1].turn}", x=_WIDTH - _MARGIN, y=top, font_size=11, text_anchor="end"
            ),
        )
    )
