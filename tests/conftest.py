"""What all tests share: the switch between the core, the small and the full counts, and Hypothesis' settings."""

import gc
import os
import re
import signal
from pathlib import Path

import cv2
import pytest
from hypothesis import settings

from tests.fuzz.mutations import LONG_S, SHORT_S

if os.environ.get("PYTEST_XDIST_WORKER"):
    cv2.setNumThreads(1)  # the workers already keep every core busy

gc.disable()  # until all tests are collected: nothing of what collection makes is garbage, and looking takes a quarter of it

# On a busy machine one example may take long without any fault, so no example has a deadline.
settings.register_profile("full", deadline=None, max_examples=100)
# By hand the tests run often, with other examples each time.
settings.register_profile("by_hand", settings.get_profile("full"), max_examples=40)
# CI draws the same examples every time: what fails there fails everywhere.
settings.register_profile("ci", settings.get_profile("full"), derandomize=True, print_blob=True)


_IS_WHOLLY_BROAD = re.compile(
    r"^pytestmark = (?:pytest\.mark\.(?:broad|slow)$|\[[^]]*\bpytest\.mark\.(?:broad|slow)\b)", re.MULTILINE
)


def pytest_addoption(parser: pytest.Parser) -> None:
    counts = parser.getgroup("zarbiter").addoption
    counts("--core", action="store_true", help="leave out what is broad: a minute while something is being written")
    counts("--slow", action="store_true", help="run the slow tests, and all tests with their full counts")


def pytest_xdist_auto_num_workers() -> int:
    """Three workers for two cores: tests wait for programs, ports and clocks for a third of their time."""
    cores = os.cpu_count() or 1
    return cores + (cores + 1) // 2


def pytest_configure(config: pytest.Config) -> None:
    # A job in the background ignores SIGINT; programs are stopped by it in the tests.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("ci" if os.environ.get("CI") else "full" if config.getoption("--slow") else "by_hand")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """With --core a module that is broad as a whole is not even imported."""
    if not config.getoption("--core") or not collection_path.match("test_*.py"):
        return None
    return _IS_WHOLLY_BROAD.search(collection_path.read_text(encoding="utf-8")) is not None or None


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--core"):
        broad = {item for item in items if item.get_closest_marker("broad") or item.get_closest_marker("slow")}
        config.hook.pytest_deselected(items=list(broad))
        items[:] = [item for item in items if item not in broad]
    # With workers, what takes long begins first: at the end no worker waits for another one.
    items.sort(key=lambda item: item.get_closest_marker("broad") is None)
    if config.getoption("--slow"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow: give --slow to run it"))


def pytest_collection_finish() -> None:
    gc.enable()
    gc.freeze()  # the collected tests live to the end


@pytest.fixture(scope="session")
def full_counts(request: pytest.FixtureRequest) -> bool:
    """True with --slow: a test then runs the full number of cases that is promised, otherwise a sample."""
    return bool(request.config.getoption("--slow"))


@pytest.fixture(scope="session")
def fuzz_s(full_counts: bool) -> float:
    """For how many seconds a test may fuzz."""
    return LONG_S if full_counts else SHORT_S
