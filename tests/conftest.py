"""What all tests share: the switch between the core, the small and the full counts, and Hypothesis' settings."""

import os
import signal

import cv2
import pytest
from hypothesis import settings

if os.environ.get("PYTEST_XDIST_WORKER"):
    cv2.setNumThreads(1)  # one worker a core already keeps every core busy

# On a busy machine one example may take long without any fault, so no example has a deadline.
settings.register_profile("full", deadline=None, max_examples=100)
# By hand the tests run often, with other examples each time.
settings.register_profile("by_hand", settings.get_profile("full"), max_examples=40)
# CI draws the same examples every time: what fails there fails everywhere.
settings.register_profile("ci", settings.get_profile("full"), derandomize=True, print_blob=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    counts = parser.getgroup("zarbiter").addoption
    counts("--core", action="store_true", help="leave out what is broad: a minute while something is being written")
    counts("--slow", action="store_true", help="run the slow tests, and all tests with their full counts")


def pytest_configure(config: pytest.Config) -> None:
    # A job in the background ignores SIGINT; programs are stopped by it in the tests.
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    settings.load_profile("ci" if os.environ.get("CI") else "full" if config.getoption("--slow") else "by_hand")


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


@pytest.fixture(scope="session")
def full_counts(request: pytest.FixtureRequest) -> bool:
    """True with --slow: a test then runs the full number of cases that is promised, otherwise a sample."""
    return bool(request.config.getoption("--slow"))
