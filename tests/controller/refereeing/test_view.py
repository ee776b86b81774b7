"""What a state remembers of the last frame."""

from dataclasses import replace

import numpy as np

from controller.observing import Observation
from controller.refereeing.perception.view import View
from tests.controller.refereeing.refereed_match import opened


def test_a_state_keeps_no_picture_of_the_last_frame() -> None:
    """Spectators see it later: each state that waits for them would hold a picture that nobody compares."""
    board = opened().state.seen.view.board
    assert board is not None
    filmed = replace(board, picture=np.zeros((8, 8, 3), np.uint8))
    view = View().observe(Observation(100, filmed, filmed))
    assert view.glimpse is not None
    assert view.glimpse.picture is None
    assert view.glimpse.points is filmed.points
    assert view.board is filmed
