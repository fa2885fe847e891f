"""Rows of a mysqldump are read as MySQL would read them, and nothing is executed."""

import io
import random
from collections.abc import Iterator

import pytest

from functions.transfers.imports import mysql_dump
from functions.transfers.imports.mysql_dump import rows_of_dump
from functions.transfers.imports.problems import FileRefused
from tests.soak import seed, times

HEADER = """-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
/*!40101 SET NAMES utf8mb4 */;
DROP TABLE IF EXISTS `t`;
CREATE TABLE `t` (
  `id` int unsigned NOT NULL AUTO_INCREMENT COMMENT 'it''s, the (id)',
  `kind` enum('a,b','c)') DEFAULT 'a,b',
  `text` varchar(20) COLLATE utf8mb4_unicode_ci DEFAULT NULL,
  `price` decimal(10,2) DEFAULT NULL,
  PRIMARY KEY (`id`),
  UNIQUE KEY `by_text` (`text`(10)),
  CONSTRAINT `fk` FOREIGN KEY (`id`) REFERENCES `other` (`id`) ON DELETE CASCADE
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 /*!50100 PARTITION BY HASH (id) */;
LOCK TABLES `t` WRITE;
"""
FOOTER = """UNLOCK TABLES;
DELIMITER ;;
/*!50003 CREATE TRIGGER x BEFORE INSERT ON t FOR EACH ROW BEGIN INSERT INTO t VALUES (9,9,9,9); END */;;
DELIMITER ;
-- Dump completed"""


def _read(text: str, wanted: str = "t") -> list[dict[str, str | None]]:
    return [row for _, _, row in rows_of_dump(io.BytesIO(text.encode()), "dump.sql", {wanted: None})]


def _texts(*literals: str) -> list[str | None]:
    rows = ",".join(f"({number},'c)',{literal},NULL)" for number, literal in enumerate(literals))
    return [row["text"] for row in _read(f"{HEADER}INSERT INTO `t` VALUES {rows};\n{FOOTER}")]


def test_columns_come_from_the_definition_and_values_lose_their_escapes() -> None:
    values = _texts(
        "'plain'",
        r"'it\'s; a \"quote\"'",
        "'it''s'",
        r"'\0\b\n\r\t\Z\\\%\_\q'",
        "NULL",
        "''",
        "'),(1,2'",
        "'-- no /* comment */ # here'",
        "_binary 'raw'",
        "0x48C3A9",
        "x'4869'",
        "'😀'",
        "-1.5e3",
    )

    assert values == [
        "plain",
        'it\'s; a "quote"',
        "it's",
        "\0\b\n\r\t\x1a\\\\%\\_q",
        None,
        "",
        "),(1,2",
        "-- no /* comment */ # here",
        "raw",
        "Hé",
        "Hi",
        "😀",
        "-1.5e3",
    ]


def test_inserts_of_other_forms_are_read() -> None:
    statements = """
    insert ignore into `db`.`t` (`text`, `id`) values ('a', 1), -- comment
      /* two */ ('b', 2) ON DUPLICATE KEY UPDATE id = 3;
    REPLACE INTO t (id,text) VALUES (3,'c');
    INSERT INTO `unwanted` VALUES (1,'d');
    INSERT INTO `t` VALUES (4,'c)','e',0.50);
    """

    rows = _read(HEADER + "INSERT INTO `unwanted` (x) VALUES ('x;');" + statements + FOOTER)

    assert [(row["id"], row["text"]) for row in rows] == [("1", "a"), ("2", "b"), ("3", "c"), ("4", "e")]
    assert rows[-1] == {"id": "4", "kind": "c)", "text": "e", "price": "0.50"}


def test_a_row_is_named_by_its_line_and_its_number() -> None:
    text = f"{HEADER}INSERT INTO `t` VALUES (1,'c)','a\nb',NULL),\n(2,'c)','b',NULL);"

    places = [str(place) for _, place, _ in rows_of_dump(io.BytesIO(text.encode()), "dump.sql", {"t": None})]

    line = HEADER.count("\n") + 1
    assert places == [f"dump.sql, line {line}, row 1", f"dump.sql, line {line + 2}, row 2"]


@pytest.mark.parametrize(
    "text",
    [
        "INSERT INTO `t` VALUES (1);",
        f"{HEADER}INSERT INTO `t` VALUES (1,2);",
        f"{HEADER}INSERT INTO `t` VALUES (1,'c)','a",
        f"{HEADER}INSERT INTO `t` VALUES (1,sleep(10),'a',NULL);",
        f"{HEADER}INSERT INTO `t` VALUES (1,'a',",
        "CREATE TABLE `t` (`id` int",
        "DROP TABLE t",
        "not sql at all",
    ],
)
def test_what_cannot_be_understood_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(FileRefused, match=r"dump\.sql, line \d+"):
        _read(text)


def test_a_row_larger_than_any_packet_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mysql_dump, "MAX_PIECE", 10_000)
    monkeypatch.setattr(mysql_dump, "LONGEST_START", 1_000)
    monkeypatch.setattr(mysql_dump, "CHARACTERS_AT_ONCE", 1_000)

    with pytest.raises(FileRefused, match="line 15, row 1"):
        _read(f"{HEADER}INSERT INTO `t` VALUES (1,'c)','{'x' * 30_000}',NULL);")


def test_wherever_a_chunk_ends_the_rows_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed("DUMP_SEED"))
    alphabet = ["'", "\\", '"', "\n", ";", "(", ")", ",", "-- ", "/*", "*/", "é", "😀", "a", "`", "#", "\x1a", "%"]
    for _ in range(times(short=10, long=500)):
        texts = ["".join(chance.choices(alphabet, k=chance.randint(0, 12))) for _ in range(30)]
        dump = f"{HEADER}INSERT INTO `t` VALUES {','.join(_literals(texts))};\n{FOOTER}"
        monkeypatch.setattr(mysql_dump, "CHARACTERS_AT_ONCE", chance.randint(1, 400))

        assert [row["text"] for row in _read(dump)] == texts


def _literals(texts: list[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\x1a", "\\Z")
        yield f"({number},'c)','{escaped}',NULL)"
