"""The program in every archive, as far as it can be told without one."""

import ast
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

from functions.transfers.archive import recompute

SOURCE = Path(recompute.__file__).read_text()
NEW_YORK = ZoneInfo("America/New_York")


def test_it_needs_python_3_9_and_its_standard_library_alone() -> None:
    tree = ast.parse(SOURCE, feature_version=(3, 9))

    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    modules = {alias.name for each in imports if isinstance(each, ast.Import) for alias in each.names}
    modules |= {each.module or "" for each in imports if isinstance(each, ast.ImportFrom)}
    assert {module.split(".")[0] for module in modules} <= sys.stdlib_module_names
    assert "zip(" in SOURCE
    assert "strict=" not in SOURCE


def test_its_clock_of_new_york_is_right() -> None:
    moment = datetime(2005, 4, 1)
    while moment.year < 2035:
        there = moment.replace(tzinfo=UTC).astimezone(NEW_YORK).replace(tzinfo=None)
        assert moment + recompute.new_york_offset(moment) == there, moment
        moment += timedelta(hours=7)
