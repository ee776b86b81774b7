"""The operator's office of a page without a program behind it: a test answers the jobs itself."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from starlette.testclient import TestClient

from controller.settings.store import Options, SettingsStore
from controller.web.application import make_application
from controller.web.page_context import PageContext
from controller.web.set_up.led_map_store import LedMapStore
from controller.web.set_up.program_control import Job, PendingJob, ProgramStage
from tests.controller.web.shown_match import NAMES, PORT, TOKEN, ShownMatch


@dataclass(slots=True)
class OfficeShown:
    """`done` are the jobs that were asked for; `refusal` is what they are answered with, None: done."""

    show: PageContext
    keeper: SettingsStore
    done: list[Job] = field(default_factory=list)
    refusal: str | None = None

    @classmethod
    def in_folder(cls, folder: Path, text: str = "", options: Options = ()) -> "OfficeShown":
        """With its settings file, which is not there where its text is empty."""
        file = folder / "settings.toml"
        if text:
            file.write_text(text, encoding="utf-8")
        shown = cls(PageContext(ShownMatch.begun().live, TOKEN), SettingsStore(file, options))
        office = shown.show.control
        office.settings_store, office.can_begin, office.stage = shown.keeper, True, ProgramStage.WAITING
        office.led_map = LedMapStore(shown.keeper, folder)
        return shown

    @property
    def text(self) -> str:
        """Of the settings file."""
        return self.keeper.file.read_text(encoding="utf-8") if self.keeper.file.exists() else ""

    @contextmanager
    def client(self) -> Iterator[TestClient]:
        """While it is open, jobs are answered as the program would."""
        app = make_application(self.show, NAMES, lambda: PORT)
        is_over = Event()
        program = Thread(target=self._work, args=(is_over,))
        program.start()
        try:
            yield TestClient(app, base_url=f"http://127.0.0.1:{PORT}", client=("127.0.0.1", 50_000))
        finally:
            is_over.set()
            program.join()

    def _work(self, is_over: Event) -> None:
        while not is_over.is_set():
            asked = self.show.control.next_job(0.02)
            if asked is not None:
                self._answer(asked)

    def _answer(self, asked: PendingJob) -> None:
        self.done.append(asked.job)
        if self.refusal is None:
            asked.complete()
        else:
            asked.fail(self.refusal)


def answer_of(asked: "Future[None] | None") -> BaseException | None:
    """What came of a job: nothing, or why not."""
    assert asked is not None
    return asked.exception(timeout=5)
