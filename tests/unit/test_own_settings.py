"""The file .env: what a person wrote down for their own machine."""

from pathlib import Path

import pytest

from local import __main__ as local


def test_lines_are_taken_as_they_are_and_comments_and_empty_values_are_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text(
        "# a comment\n\nPROVIDERS=live\nYOUTUBE_API_KEY=\nTRANSCRIPT_PROXY_URL=http://a:b$#c@d\n"
    )
    monkeypatch.setattr(local, "ROOT", tmp_path)

    found = local._own_settings()

    assert found == {"PROVIDERS": "live", "TRANSCRIPT_PROXY_URL": "http://a:b$#c@d"}


def test_without_the_file_there_are_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "ROOT", tmp_path)

    assert local._own_settings() == {}
