"""Builds the layer: the functions' third-party packages for one Python and processor, compiled and without tests.

python -m layers.build                                         for the settings of a deployment by default
python -m layers.build -c python=3.12 -c architecture=x86_64   for those of another
python -m layers.build --target .layers/emulator --platform native --python 3.11
"""

import argparse
import hashlib
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

from functions.runtime.errors import InvalidSetting
from infra.config import context_of_arguments, read_config, with_stage_file

NATIVE = "native"
"""This machine's processor, for an emulator that runs the functions here."""
PLATFORMS = {"arm64": "manylinux2014_aarch64", "x86_64": "manylinux2014_x86_64"}
"""pip's names of Lambda's processors."""
REQUIREMENTS = Path(__file__).parent / "requirements.txt"
STAMP = "built"
IN_LAMBDA = Path("/opt/python")
SERVICES = ("bedrock-runtime", "dynamodb", "s3", "secretsmanager", "sns", "sqs", "stepfunctions", "sts")
"""The services whose clients the functions make. The SDK's models of some four hundred others stay out."""
UNUSED = ("tests", "test", "bin", "__pycache__", "examples")
UNUSED_FILES = ("*.pyi", "*.pyx", "*.c", "*.h", "py.typed")
KEPT_OF_DIST_INFO = ("METADATA", "LICENSE", "LICENCE", "NOTICE", "COPYING")
"""The version, which some packages read at run time, and the licence, which must be distributed with them."""


def main() -> int:
    arguments = _arguments()
    if arguments.target:
        return build(arguments.target, arguments.python, arguments.platform)
    try:
        config = read_config(with_stage_file(context_of_arguments(arguments.context)))
    except InvalidSetting as problem:
        print(problem, file=sys.stderr)
        return 1
    return build(config.layer, config.python, PLATFORMS[config.architecture])


def build(folder: Path, python: str, platform: str) -> int:
    """Does nothing where the same layer is there already."""
    stamp = _stamp(python, platform)
    if (folder / "python").is_dir() and (folder / STAMP).exists() and (folder / STAMP).read_text() == stamp:
        return 0
    target = folder / "python"
    shutil.rmtree(folder, ignore_errors=True)
    if not _install(target, python, platform):
        shutil.rmtree(folder, ignore_errors=True)
        print("The layer was not built: pip could not fetch its packages for this target (see above).", file=sys.stderr)
        return 1
    _strip(target)
    interpreter = find_interpreter(python)
    if interpreter:
        compile_bytecode(interpreter, target, place=IN_LAMBDA)
    else:
        print(f"There is no Python {python} here: the layer holds no bytecode, and first calls take longer.")
    (folder / STAMP).write_text(stamp)
    print(f"{folder}: {_megabytes(target):.1f} MB for Python {python} on {platform}")
    return 0


def _stamp(python: str, platform: str) -> str:
    """The inputs of a layer."""
    sources = REQUIREMENTS.read_bytes() + Path(__file__).read_bytes()
    return f"{python} {platform} {hashlib.sha256(sources).hexdigest()}\n"


def find_interpreter(version: str) -> str | None:
    """A Python of this version on this machine. Bytecode does not depend on the processor."""
    installed = Path.home().glob(f".pyenv/versions/{version}*/bin/python")
    for candidate in (sys.executable, shutil.which(f"python{version}"), *map(str, installed)):
        if candidate and _version_of(candidate) == version:
            return candidate
    return None


def _version_of(interpreter: str) -> str:
    program = "import sys; print('{}.{}'.format(*sys.version_info))"
    ended = subprocess.run([interpreter, "-c", program], capture_output=True, text=True, check=False)
    return ended.stdout.strip()


def _install(target: Path, python: str, platform: str) -> bool:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"]
    where = ["--only-binary=:all:", "--implementation=cp", f"--python-version={python}"]
    where += [f"--platform={platform}"] if platform != NATIVE else []
    packages = ["--requirement", str(REQUIREMENTS), "--target", str(target)]
    return subprocess.run([*command, *where, *packages], check=False).returncode == 0


def _strip(target: Path) -> None:
    _remove(folder for name in UNUSED for folder in target.rglob(name) if folder.is_dir())
    _remove(file for pattern in UNUSED_FILES for file in target.rglob(pattern))
    for package in ("boto3", "botocore"):
        models = (target / package / "data").iterdir()
        _remove(model for model in models if model.is_dir() and model.name not in SERVICES)
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
    """Writes bytecode next to each module, with the paths it will have at `place`: identical on every machine."""
    # Unchecked hashes: the files never change, and modification times do not survive zipping.
    how = ["-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", "-s", str(folder), "-p", str(place)]
    subprocess.run([interpreter, *how, str(folder)], check=True)


def _megabytes(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m layers.build", description="Builds the functions' layer.")
    parser.add_argument("-c", "--context", action="append", default=[], help="a setting, as the CDK takes it")
    parser.add_argument("--target", type=Path, help="folder to build in instead; what is there is replaced")
    parser.add_argument("--python", default="3.13", help="with --target")
    parser.add_argument("--platform", default=PLATFORMS["arm64"], help=f"with --target: as pip names it, or {NATIVE!r}")
    # `make` also passes the options meant for the CDK.
    return parser.parse_known_args()[0]


if __name__ == "__main__":
    sys.exit(main())
