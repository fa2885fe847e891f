"""Builds the layer: the functions' third-party packages for one Python and processor, compiled and without tests.

python -m layers.build --target .layers/python3.13-arm64 --python 3.13 --platform manylinux2014_aarch64
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

NATIVE = "native"
"""This machine's processor, for an emulator that runs the functions here."""
REQUIREMENTS = Path(__file__).parent / "requirements.txt"
IN_THE_RUNTIME = ("boto3", "botocore", "dateutil", "jmespath", "python_dateutil", "s3transfer", "six", "urllib3")
"""Lambda's own Python brings these."""
IN_LAMBDA = Path("/opt/python")
UNUSED = ("tests", "test", "bin", "__pycache__")
UNUSED_FILES = ("*.pyi", "*.pyx", "*.c", "*.h", "py.typed", "six.py")
KEPT_OF_DIST_INFO = ("METADATA", "LICENSE", "LICENCE", "NOTICE", "COPYING")
"""The version, which some packages read at run time, and the licence, which must be distributed with them."""


def main() -> int:
    arguments = _arguments()
    target = arguments.target / "python"
    shutil.rmtree(arguments.target, ignore_errors=True)
    if not _install(target, arguments.python, arguments.platform):
        print("The layer was not built: pip could not fetch its packages for this target (see above).", file=sys.stderr)
        return 1
    _strip(target)
    interpreter = find_interpreter(arguments.python)
    if interpreter:
        compile_bytecode(interpreter, target, place=IN_LAMBDA)
    else:
        print(f"There is no Python {arguments.python} here: the layer holds no bytecode, and first calls take longer.")
    print(f"{arguments.target}: {_megabytes(target):.1f} MB for Python {arguments.python} on {arguments.platform}")
    return 0


def find_interpreter(version: str) -> str | None:
    """A Python of this version on this machine. Bytecode does not depend on the processor."""
    installed = Path.home().glob(f".pyenv/versions/{version}*/bin/python")
    for candidate in (sys.executable, shutil.which(f"python{version}"), *map(str, installed)):
        if candidate and _version_of(candidate) == version:
            return candidate
    return None


def _version_of(interpreter: str) -> str:
    question = "import sys; print('{}.{}'.format(*sys.version_info))"
    answer = subprocess.run([interpreter, "-c", question], capture_output=True, text=True, check=False)
    return answer.stdout.strip()


def _install(target: Path, python: str, platform: str) -> bool:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    where = ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}"]
    where += [f"--platform={platform}"] if platform != NATIVE else []
    packages = ["--requirement", str(REQUIREMENTS), "--target", str(target)]
    return subprocess.run([*command, *where, *packages], check=False).returncode == 0


def _strip(target: Path) -> None:
    _remove(folder for name in UNUSED for folder in target.rglob(name) if folder.is_dir())
    _remove(file for pattern in UNUSED_FILES for file in target.rglob(pattern))
    _remove(path for name in IN_THE_RUNTIME for path in (target / name, *target.glob(f"{name}-*.dist-info")))
    _remove(
        path
        for path in target.glob("*.dist-info/**/*")
        if path.is_file() and not path.name.startswith(KEPT_OF_DIST_INFO)
    )


def _remove(paths: Iterable[Path]) -> None:
    for path in list(paths):
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)


def compile_bytecode(interpreter: str, folder: Path, *, place: Path) -> None:
    """Writes bytecode beside each module, with the paths it will have at `place`: identical on every machine."""
    # Unchecked hashes: the files never change, and modification times do not survive zipping.
    how = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "-s", str(folder), "-p", str(place)]
    subprocess.run([interpreter, *how, str(folder)], check=True)


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m layers.build", description="Builds the functions' layer.")
    parser.add_argument("--target", type=Path, required=True, help="folder to build in; what is there is replaced")
    parser.add_argument("--python", default="3.13")
    parser.add_argument("--platform", default="manylinux2014_aarch64", help=f"as pip names it, or {NATIVE!r}")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
