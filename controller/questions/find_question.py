"""What the referee asks now, with its answers in order: `find_question`. The question itself is an event of the log."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock

from controller.match import BoardDiffers, Mode, PlayRefused, PlayUnclear, SetUpUnclear, ThrowUnclear, commands
from controller.questions.board_answers import list_log_answers, list_seatings, list_start_answers
from controller.questions.likely_answers import list_closest_plays, list_likely_plays, list_likely_rolls
from controller.questions.question import About, Meaning, OfferedAnswer, Question
from controller.refereeing.match_config import MatchConfig
from controller.refereeing.phases.judging import may_stand
from controller.refereeing.state import Phase, RefereeState
from controller.refereeing.waiting import Asked, find_asked


def find_question(state: RefereeState, table: MatchConfig) -> Question | None:
    """The question that is open; None where nothing is asked. Takes some milliseconds: see `AskedOnce`."""
    asked = find_asked(state)
    match asked:
        case None:
            return None
        case PlayUnclear() if state.due is not None or table.is_grasshopper:
            return Question(About.PLAY, asked, list_likely_plays(state, table))
        case PlayUnclear() | ThrowUnclear():
            is_opening = state.phase is Phase.OPENING
            return Question(About.OPENING if is_opening else About.ROLL, asked, list_likely_rolls(state))
        case PlayRefused():
            return Question(About.REFUSED, asked, _list_answers_to_refusal(state, asked, table))
        case BoardDiffers() if state.phase is Phase.RESTORE:
            refused = state.questions.refused
            if Phase.ILLEGAL in state.underneath and refused is not None:
                return Question(About.REFUSED, asked, _list_plays_near(state, refused, table))
            return Question(About.BOARD, asked, list_log_answers(state, table))
        case SetUpUnclear() | BoardDiffers():  # pragma: no branch - mypy sees that no other case is left
            seatings = list_seatings(state, asked, table)
            if seatings:
                return Question(About.SEATING, asked, seatings)
            return Question(About.BOARD, asked, list_start_answers(state, table))


def _list_answers_to_refusal(
    state: RefereeState, refused: PlayRefused, table: MatchConfig
) -> tuple[OfferedAnswer, ...]:
    """The legal plays that come closest, and that the play stands, where the profile lets the opponent say so."""
    plays = _list_plays_near(state, refused, table)
    if not (table.profile.opponent_may_condone and may_stand(refused, table)):
        return plays
    return (*plays, OfferedAnswer(Meaning.STANDS, commands.Condone(), after=refused.after))


def _list_plays_near(state: RefereeState, refused: PlayRefused, table: MatchConfig) -> tuple[OfferedAnswer, ...]:
    """In a tournament no legal play is named: that would help the players."""
    return () if table.mode is Mode.TOURNAMENT else list_closest_plays(state, refused.after, table)


_Key = tuple[Asked, bool, Mode]  # what is asked, whether the board was observed, and the mode


class AskedOnce:
    """The question of the newest state of one match: found once, and again when another is asked, the board is first observed
    or the mode changes.

    All outputs of the match share it, from any thread; a second one waits while the first one's question is found.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._key: _Key | None = None
        self._question: Question | None = None

    def __call__(self, state: RefereeState, table: MatchConfig) -> Question | None:
        key = _make_key(state, table)
        if key is None:
            return None
        with self._lock:
            if self._key is None or self._key[0] is not key[0] or self._key != key:
                self._key, self._question = key, find_question(state, table)
            return self._question


class AskedInBackground:
    """For a loop that must not wait: None is returned until the question is found, and a later call has it."""

    def __init__(self, find: AskedOnce) -> None:
        self._find = find
        self._pool = ThreadPoolExecutor(1, "questions")
        self._key: _Key | None = None
        self._question: Question | None = None
        self._finding: Future[Question | None] | None = None

    def __call__(self, state: RefereeState, table: MatchConfig) -> Question | None:
        key = _make_key(state, table)
        if key != self._key:
            self._key, self._question = key, None
            self._finding = None if key is None else self._pool.submit(self._find, state, table)
        if self._finding is not None and self._finding.done():
            self._question, self._finding = self._finding.result(), None
        return self._question


def _make_key(state: RefereeState, table: MatchConfig) -> _Key | None:
    asked = find_asked(state)
    return None if asked is None else (asked, state.seen.view.board is not None, table.mode)
