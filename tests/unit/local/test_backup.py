"""A backup holds the data of one point in time, and a restore brings back just that."""

import io
import sqlite3
import stat
import tarfile
import threading
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from local import backup
from local.backup import MANIFEST, REPLACED, BackupProblem, back_up, restore
from local.data_file import DATABASE
from local.engine import EngineProblem, locked


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """A data folder with files of every kind."""
    folder = tmp_path / "data"
    (folder / "transcripts" / "channel").mkdir(parents=True)
    with closing(database(folder)) as connection, connection:
        connection.execute("CREATE TABLE accounts (name TEXT PRIMARY KEY, amount INTEGER)")
        connection.executemany("INSERT INTO accounts VALUES (?, ?)", [("one", 500), ("two", 500)])
    (folder / "transcripts" / "channel" / "video.txt").write_text("I'm buying Apple")
    (folder / "transcripts" / "channel" / "video.txt.part").write_text("I'm buy")
    (folder / "alert.key").write_text("secret")
    (folder / "lock").write_text("123")
    return folder


@pytest.fixture
def saved(data: Path, tmp_path: Path) -> Path:
    target = tmp_path / "saved.tar.gz"
    back_up(data, target)
    return target


def database(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / DATABASE, timeout=30)
    connection.execute("PRAGMA journal_mode=WAL")
    return connection


def amounts(folder: Path) -> list[int]:
    with closing(database(folder)) as connection:
        return [amount for (amount,) in connection.execute("SELECT amount FROM accounts ORDER BY name")]


def names(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_a_restore_brings_back_database_and_files(saved: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"

    replaced = restore(saved, new)

    assert replaced is None
    assert amounts(new) == [500, 500]
    assert names(new) - {"lock"} == {DATABASE, "alert.key", "transcripts/channel/video.txt"}
    assert (new / "alert.key").read_text() == "secret"


def test_a_backup_is_of_one_point_in_time_while_the_product_writes(data: Path, tmp_path: Path) -> None:
    ended = threading.Event()

    def move_money() -> None:
        with closing(database(data)) as connection:
            while not ended.is_set():
                with connection:
                    connection.execute("UPDATE accounts SET amount = amount - 1 WHERE name = 'one'")
                    connection.execute("UPDATE accounts SET amount = amount + 1 WHERE name = 'two'")

    writer = threading.Thread(target=move_money)
    writer.start()
    try:
        for number in range(5):
            back_up(data, tmp_path / f"{number}.tar.gz")
    finally:
        ended.set()
        writer.join()

    for number in range(5):
        restore(tmp_path / f"{number}.tar.gz", tmp_path / str(number))
        assert sum(amounts(tmp_path / str(number))) == 1000


def test_what_was_there_is_kept_beside_the_restored_data(saved: Path, data: Path) -> None:
    with closing(database(data)) as connection, connection:
        connection.execute("UPDATE accounts SET amount = 0")
    (data / "transcripts" / "channel" / "later.txt").write_text("added after the backup")

    replaced = restore(saved, data)

    assert replaced
    assert (amounts(data), amounts(replaced)) == ([500, 500], [0, 0])
    assert not (data / "transcripts" / "channel" / "later.txt").exists()
    assert (replaced / "transcripts" / "channel" / "later.txt").exists()


def test_a_second_backup_holds_neither_the_replaced_data_nor_the_first_backup(saved: Path, data: Path) -> None:
    restore(saved, data)
    back_up(data, data / "first.tar.gz")

    back_up(data, data / "second.tar.gz")

    with tarfile.open(data / "second.tar.gz") as archive:
        held = archive.getnames()
    assert not [name for name in held if REPLACED in name or name.endswith(".tar.gz")]
    assert DATABASE in held


def test_a_backup_is_for_its_owner_alone(saved: Path) -> None:
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600


def test_nothing_is_restored_while_the_product_runs(saved: Path, data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("local.engine.UNLOCK_SECONDS", 0.2)
    with closing(database(data)) as connection, connection:
        connection.execute("UPDATE accounts SET amount = 0")

    with locked(data), pytest.raises(EngineProblem, match="in use by another run"):
        restore(saved, data)

    assert amounts(data) == [0, 0]


def test_an_existing_file_is_never_overwritten(saved: Path, data: Path) -> None:
    before = saved.read_bytes()

    with pytest.raises(BackupProblem, match="exists already"):
        back_up(data, saved)

    assert saved.read_bytes() == before


def test_a_folder_without_data_is_not_backed_up(tmp_path: Path) -> None:
    with pytest.raises(BackupProblem, match="DATA="):
        back_up(tmp_path, tmp_path / "any.tar.gz")

    assert list(tmp_path.iterdir()) == []


def cut_short(content: bytes) -> bytes:
    return content[: len(content) // 2]


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes(255 - byte for byte in content[middle : middle + 40]) + content[middle + 40 :]


@pytest.mark.parametrize("damage", [cut_short, flipped, lambda _: b"", lambda _: b"not an archive"])
def test_a_damaged_backup_replaces_nothing(saved: Path, data: Path, damage: Callable[[bytes], bytes]) -> None:
    saved.write_bytes(damage(saved.read_bytes()))
    before = names(data)

    with pytest.raises(BackupProblem):
        restore(saved, data)

    assert names(data) == before
    assert amounts(data) == [500, 500]


def archive_of(target: Path, **members: bytes) -> Path:
    with tarfile.open(target, "w:gz") as archive:
        for name, content in members.items():
            described = tarfile.TarInfo(name)
            described.size = len(content)
            archive.addfile(described, io.BytesIO(content))
    return target


GOOD = b'{"format": 1, "version": "1.0.0", "created_at": "2026-11-18T00:00:00Z"}'


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"any.txt": b"text"}, "not a backup"),
        ({MANIFEST: b"{"}, "not a backup"),
        ({MANIFEST: b'{"format": 1}'}, "not a backup"),
        ({MANIFEST: GOOD.replace(b'"format": 1', b'"format": 2').replace(b"1.0.0", b"9.9.9")}, "version 9.9.9"),
        ({MANIFEST: GOOD}, "no database"),
        ({MANIFEST: GOOD, DATABASE: b"not a database at all" * 100}, "damaged"),
        ({MANIFEST: GOOD, "../outside.txt": b"text"}, "it holds"),
        ({MANIFEST: GOOD, "/tmp/outside.txt": b"text"}, "it holds"),
    ],
)
def test_what_is_not_a_backup_of_ours_replaces_nothing(
    tmp_path: Path, data: Path, members: dict[str, bytes], said: str
) -> None:
    file = archive_of(tmp_path / "other.tar.gz", **members)

    with pytest.raises(BackupProblem, match=said):
        restore(file, data)

    assert amounts(data) == [500, 500]
    assert not (tmp_path / "outside.txt").exists()


def test_a_full_disk_leaves_no_half_backup(data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(backup, "_write", fail)

    with pytest.raises(BackupProblem, match="No space left"):
        back_up(data, tmp_path / "saved.tar.gz")

    assert [path.name for path in tmp_path.iterdir()] == ["data"]
