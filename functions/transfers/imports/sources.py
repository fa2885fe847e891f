"""The files that an import may read: from a zip, a folder, or a single file. Nothing is unpacked to disk."""

import gzip
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any, BinaryIO, Protocol, Self, cast

from functions.transfers.imports.problems import FileRefused
from functions.transfers.imports.texts import Readable

MAX_ENTRIES = 100
MAX_DIRECTORY_BYTES = 64 * 1024
MAX_BYTES = 4 * 1024**3
"""Total uncompressed size of all files."""
MAX_RATIO = 200
"""Maximum compression ratio. Price tables, which compress best, reach about 10."""
FREE_BYTES = 16 * 1024**2
"""Files up to this size may have any compression ratio."""
PACKED = {".zip", ".gz", ".bz2", ".xz", ".7z", ".rar", ".tar", ".tgz", ".zst"}
_END = struct.Struct("<4s4H2LH")
_END_SIGNATURE, _ZIP64_LOCATOR = b"PK\x05\x06", b"PK\x06\x07"
_ZIP64_LOCATOR_BYTES = 20
_LONGEST_COMMENT = 1 << 16
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_ENCRYPTED = 0x1


class Stream(Readable, Protocol):
    def __enter__(self) -> Self: ...

    def __exit__(self, kind: Any, problem: Any, traceback: Any, /) -> object: ...


@dataclass(frozen=True, slots=True)
class SourceFile:
    name: str
    """The name without its folder."""
    open: Callable[[], Stream]


@contextmanager
def opened(path: Path) -> Iterator[list[SourceFile]]:
    """The files of a zip or a folder, or the single file; raises FileRefused with a sentence if they are unreadable."""
    try:
        if path.is_dir():
            yield _files_of_folder(path)
        elif path.suffix.lower() == ".zip":
            with path.open("rb") as file, _zip(file, path.name) as archive:
                yield _entries(archive, path.name, path.stat().st_size)
        elif path.suffix.lower() == ".gz":
            yield [SourceFile(path.stem, lambda: _Limited(_gzip(path), path.name, path.stat().st_size))]
        else:
            yield [_file(path)]
    except OSError as problem:
        raise FileRefused([f"{path} cannot be read: {problem.strerror or problem}"]) from None
    except (zipfile.BadZipFile, EOFError, zlib.error, NotImplementedError) as problem:
        raise FileRefused([f"{path.name} is damaged: {str(problem) or 'it ends too early'}"]) from None


def _files_of_folder(folder: Path) -> list[SourceFile]:
    files = [path for path in sorted(folder.iterdir()) if path.is_file() and not path.name.startswith(".")]
    links = [path.name for path in files if path.is_symlink()]
    if links:
        raise FileRefused([f"{folder} holds a link, {links[0]}: give the files themselves"])
    return [_file(path) for path in files]


def _file(path: Path) -> SourceFile:
    return SourceFile(path.name, lambda: path.open("rb"))


def _gzip(path: Path) -> IO[bytes]:
    return cast(IO[bytes], gzip.open(path, "rb"))


def _zip(file: BinaryIO, name: str) -> zipfile.ZipFile:
    """Opened only if its directory is small, because it is read completely."""
    _require_small_directory(file, name)
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, ValueError, UnicodeDecodeError) as problem:
        raise FileRefused([f"{name} is damaged: {problem}"]) from None


def _require_small_directory(file: BinaryIO, name: str) -> None:
    size = file.seek(0, 2)
    file.seek(max(0, size - _LONGEST_COMMENT - _END.size - _ZIP64_LOCATOR_BYTES))
    tail = file.read()
    file.seek(0)
    position = tail.rfind(_END_SIGNATURE)
    if position < 0 or len(tail) - position < _END.size:
        raise FileRefused([f"{name} is not a zip file"])
    *_, entries, directory, _offset, _comment = _END.unpack_from(tail, position)
    before = tail[max(0, position - _ZIP64_LOCATOR_BYTES) : position]
    if directory > MAX_DIRECTORY_BYTES or entries > MAX_ENTRIES or before.startswith(_ZIP64_LOCATOR):
        raise FileRefused([f"{name} holds too many files, or is too large: an export holds about a dozen"])


def _entries(archive: zipfile.ZipFile, name: str, size: int) -> list[SourceFile]:
    infos = [info for info in archive.infolist() if not info.is_dir()]
    problems = [problem for info in infos if (problem := _problem(info))]
    if len(infos) > MAX_ENTRIES:
        problems.append(f"it holds {len(infos)} files, and {MAX_ENTRIES} at most are read")
    if sum(info.file_size for info in infos) > MAX_BYTES:
        problems.append(f"it holds more than {MAX_BYTES:,} bytes")
    if sum(info.compress_size for info in infos) > size:
        problems.append("its files overlap")
    names = [PurePosixPath(info.filename).name for info in infos]
    if doubled := sorted({each for each in names if names.count(each) > 1}):
        problems.append(f"it holds {doubled[0]} twice")
    if problems:
        raise FileRefused([f"{name}: {problem}" for problem in problems[:10]], len(problems))
    return [SourceFile(PurePosixPath(info.filename).name, _opener(archive, info)) for info in infos]


def _opener(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> Callable[[], Stream]:
    return lambda: _Limited(archive.open(info), info.filename, info.compress_size)


def _problem(info: zipfile.ZipInfo) -> str | None:
    """Returns why an entry is not read."""
    name = info.orig_filename
    shown = ascii(name)[1:-1][:100]
    path = PurePosixPath(name.replace("\\", "/"))
    if "\0" in name or path.is_absolute() or ".." in path.parts or ":" in name:
        return f"the name {shown} leads out of the archive"
    if stat.S_ISLNK(info.external_attr >> 16):
        return f"{shown} is a link"
    if info.flag_bits & _ENCRYPTED:
        return f"{shown} is encrypted"
    if info.compress_type not in _METHODS:
        return f"{shown} is packed in a way that is not read: use plain zip"
    if path.suffix.lower() in PACKED:
        return f"{shown} is an archive within the archive"
    if info.file_size > FREE_BYTES and info.file_size > MAX_RATIO * max(1, info.compress_size):
        return f"{shown} unpacks to {info.file_size // max(1, info.compress_size)} times its size"
    return None


class _Limited:
    """A stream that counts what it decompresses: an entry's declared size may be false."""

    def __init__(self, stream: IO[bytes], name: str, packed: int) -> None:
        self._stream = stream
        self._name = name
        self._left = min(MAX_BYTES, max(FREE_BYTES, MAX_RATIO * packed))

    def read(self, size: int) -> bytes:
        content = self._stream.read(size)
        self._left -= len(content)
        if self._left < 0:
            raise FileRefused([f"{self._name} unpacks to far more than its size"])
        return content

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stream.close()
