import doctest
from pathlib import Path

README = Path(__file__).parents[3] / "controller" / "rules" / "README.md"


def test_the_example_of_the_readme_runs() -> None:
    result = doctest.testfile(str(README), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
