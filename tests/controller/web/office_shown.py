"""The set-up page without a program behind it: the test answers the jobs itself."""

from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from starlette.testclient import TestClient

from controller.settings.store import Options, SettingsStore
from controller.web.page_context import PageContext
from controller.web.set_up.led_map_store import LedMapStore
from controller.web.set_up.program_control import Job, PendingJob, ProgramStage
from tests.controller.web.shown_match import TOKEN, ShownMatch, client_of


@dataclass(slots=True)
class OfficeShown:
    """`done` are the submitted jobs. They fail with `refusal`, or succeed where it is None."""

    context: PageContext
    store: SettingsStore
    done: list[Job] = field(default_factory=list)
    refusal: str | None = None

    @classmethod
    def in_folder(cls, folder: Path, text: str = "", options: Options = ()) -> "OfficeShown":
        """With a settings file; without one where `text` is empty."""
        file = folder / "settings.toml"
        if text:
            file.write_text(text, encoding="utf-8")
        shown = cls(PageContext(ShownMatch.begun().live, TOKEN), SettingsStore(file, options))
        office = shown.context.control
        office.settings_store, office.can_begin, office.stage = shown.store, True, ProgramStage.WAITING
        office.led_map = LedMapStore(shown.store, folder)
        return shown

    @property
    def text(self) -> str:
        """The text of the settings file."""
        return self.store.file.read_text(encoding="utf-8") if self.store.file.exists() else ""

    @contextmanager
    def client(self) -> Iterator[TestClient]:
        """While the client is open, a thread answers jobs as the program does."""
        is_over = Event()
        program = Thread(target=self._work, args=(is_over,))
        program.start()
        try:
            yield client_of(self.context)
        finally:
            is_over.set()
            program.join()

    def _work(self, is_over: Event) -> None:
        while not is_over.is_set():
            asked = self.context.control.next_job(0.004)  # so long an ended test waits for it
            if asked is not None:
                self._answer(asked)

    def _answer(self, asked: PendingJob) -> None:
        self.done.append(asked.job)
        if self.refusal is None:
            asked.complete()
        else:
            asked.fail(self.refusal)


def answer_of(asked: "Future[None] | None") -> BaseException | None:
    """The exception of a job, or None."""
    assert asked is not None
    return asked.exception(timeout=5)
