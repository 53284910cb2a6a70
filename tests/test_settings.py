"""Settings: where they come from, which one wins, and what is said about mistakes."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from pagefile.errors import PagefileError, SettingsError, StoreUnavailable
from pagefile.settings import Settings, load_settings
from pagefile.sync import Memory


@pytest.fixture(autouse=True)
def no_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def test_an_argument_wins_over_the_environment_and_that_over_the_file(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('user = "file"\nmodel = "file"\nembedder = "none"\n', encoding="utf-8")
    settings = load_settings(
        environ={"PAGEFILE_CONFIG": str(file), "PAGEFILE_USER": "environment", "PAGEFILE_MODEL": "environment"}, user="given"
    )
    assert (settings.user, settings.model, settings.embedder) == ("given", "environment", "none")
    assert settings.file == str(file)


def test_a_misspelt_name_is_warned_about_with_the_name_that_was_meant() -> None:
    settings = load_settings(environ={"PAGEFILE_EMBEDER": "none"})
    assert settings.embedder is None
    assert "PAGEFILE_EMBEDER" in settings.warnings[0]
    assert "did you mean PAGEFILE_EMBEDDER" in settings.warnings[0]


def test_a_misspelt_name_in_the_file_is_warned_about(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('modell = "x"\n', encoding="utf-8")
    assert "did you mean model?" in load_settings(environ={}, file=file).warnings[0]


@pytest.mark.parametrize("text", ["user = ", "user = 3", "\x00"])
def test_a_broken_file_is_refused_and_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError):
        load_settings(environ={}, file=file)


def test_the_default_store_is_a_durable_place_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert load_settings(environ={}).path() == str(tmp_path / "pagefile" / "pagefile.db")


@pytest.mark.parametrize(
    ("data", "file"),
    [("notes.db", "notes.db"), ("folder", "folder/pagefile.db"), ("sub/notes.sqlite", "sub/notes.sqlite")],
)
def test_a_relative_path_is_relative_to_where_the_program_runs(
    data: str, file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert load_settings(environ={"PAGEFILE_DATA": data}).path() == str(tmp_path / file)


def test_the_zone_gives_times_their_offset() -> None:
    zone = load_settings(environ={"PAGEFILE_TIMEZONE": "Asia/Shanghai"}).zone()
    assert datetime(2026, 5, 1, tzinfo=zone).isoformat() == "2026-05-01T00:00:00+08:00"


@pytest.mark.parametrize("zone", ["Asia/Shangai", "../etc/passwd", "+8"])
def test_an_unknown_zone_is_refused_with_examples(zone: str) -> None:
    with pytest.raises(SettingsError, match="Asia/Shanghai"):
        load_settings(environ={"PAGEFILE_TIMEZONE": zone}).zone()


@pytest.mark.parametrize("window", ["many", "-1"])
def test_a_number_that_is_none_is_refused(window: str) -> None:
    with pytest.raises(SettingsError, match="context_window"):
        load_settings(environ={"PAGEFILE_CONTEXT_WINDOW": window})


def test_keys_are_never_shown() -> None:
    settings = load_settings(environ={"PAGEFILE_API_KEY": "sk-secret", "OPENAI_API_KEY": "sk-other"})
    assert settings.api_key == "sk-secret"
    assert "sk-" not in repr(settings)


@pytest.mark.parametrize("name", ["data", "user", "session", "model"])
def test_an_empty_value_that_is_given_is_refused_and_an_empty_variable_is_not_set(name: str) -> None:
    assert getattr(load_settings(environ={f"PAGEFILE_{name.upper()}": ""}), name) == getattr(Settings(), name)
    with pytest.raises(SettingsError, match=name):
        load_settings(environ={}, **{name: ""})


def test_a_path_is_a_place_as_its_text_is(tmp_path: Path) -> None:
    given: Any = tmp_path / "m.db"
    assert Settings(data=given).path() == str(given)


@pytest.mark.parametrize("data", ["a\0b", "\ud800", "", " ", 5, b"x"])
def test_what_cannot_be_a_place_is_refused(data: Any) -> None:
    with pytest.raises(SettingsError, match="the place of the store"):
        Settings(data=data).path()


@pytest.mark.parametrize("data", ["a\0b", "x" * 300, "x" * 300 + "/m.db", "\ud800", "", "~nobody-of-this-name/m.db"])
def test_a_memory_in_a_place_that_cannot_be_is_refused_in_one_line(data: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(PagefileError) as caught:
        Memory.open(data, embedder="none")
    assert isinstance(caught.value, SettingsError | StoreUnavailable)
    assert len(str(caught.value).splitlines()) == 1
    assert not list(tmp_path.iterdir())
