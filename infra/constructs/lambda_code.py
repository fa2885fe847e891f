"""The functions' code asset, with bytecode: Lambda cannot keep what it compiles, and would at each cold start."""

import shutil
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from aws_cdk import aws_lambda as lambda_

from infra.config import ROOT
from layers.build import compile_bytecode, find_interpreter

FUNCTIONS = ROOT / "functions"
IN_LAMBDA = Path("/var/task")


def lambda_code(python: str) -> lambda_.AssetCode:
    return lambda_.Code.from_asset(with_bytecode(FUNCTIONS, python).name)


@cache
def with_bytecode(functions: Path, python: str) -> "TemporaryDirectory[str]":
    """A temporary copy, for as long as this process runs.

    Without a Python of the functions' version on this machine it is a plain one: first calls take longer then.
    """
    folder = TemporaryDirectory()
    # The folder `functions` itself is copied, so that its imports work.
    shutil.copytree(functions, Path(folder.name, functions.name), ignore=shutil.ignore_patterns("__pycache__"))
    if interpreter := find_interpreter(python):
        compile_bytecode(interpreter, Path(folder.name), place=IN_LAMBDA)
    return folder
