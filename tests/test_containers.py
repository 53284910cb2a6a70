"""The container files: they cannot be built in a test, so what matters in them is read."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import yaml

from pagefile.settings import Settings

ROOT = Path(__file__).parent.parent
SETTINGS = {f"PAGEFILE_{field.name.upper()}" for field in fields(Settings)}


def instructions() -> list[tuple[str, str]]:
    """The instructions of the last stage of the Containerfile."""
    text = re.sub(r"^\s*#.*\n", "", (ROOT / "Containerfile").read_text(encoding="utf-8"), flags=re.MULTILINE).replace("\\\n", " ")
    pairs = [(line.split(maxsplit=1)[0], line.split(maxsplit=1)[1].strip()) for line in text.splitlines() if line.strip()]
    assert {name for name, _ in pairs} <= {
        *("FROM", "WORKDIR", "COPY", "RUN", "ENV", "USER", "VOLUME", "EXPOSE", "STOPSIGNAL", "HEALTHCHECK", "ENTRYPOINT", "CMD"),
    }
    last = max(number for number, (name, _) in enumerate(pairs) if name == "FROM")
    return pairs[last:]


def only(name: str) -> str:
    (value,) = [value for each, value in instructions() if each == name]
    return value


def variables() -> dict[str, str]:
    return dict(pair.split("=", 1) for pair in only("ENV").split())


@pytest.fixture(scope="module")
def service() -> dict[str, Any]:
    services = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))["services"]
    return dict(services["pagefile"])


def test_the_image_runs_without_root_and_nothing_is_done_as_root_after_that() -> None:
    names = [name for name, _ in instructions()]
    assert int(only("USER")) > 0
    assert "RUN" not in names[names.index("USER") :]
    assert "COPY" not in names[names.index("USER") :]


def test_the_image_keeps_its_data_in_a_volume_that_its_user_owns() -> None:
    (folder,) = json.loads(only("VOLUME"))
    assert variables()["PAGEFILE_DATA"].startswith(f"{folder}/")
    made = next(value for name, value in instructions() if name == "RUN")
    assert f"--owner={only('USER')}" in made
    assert made.endswith(folder)


def test_the_image_listens_at_every_address_and_so_needs_a_key() -> None:
    assert variables()["PAGEFILE_HOST"] == "0.0.0.0"
    assert variables()["PAGEFILE_PORT"] == only("EXPOSE") == str(Settings().port)
    assert (json.loads(only("ENTRYPOINT")), json.loads(only("CMD"))) == (["pagefile"], ["serve"])


def test_the_image_has_a_health_check_that_is_a_program() -> None:
    command = json.loads(only("HEALTHCHECK").partition("CMD ")[2])
    assert command[:2] == ["python", "-c"]
    ast.parse(command[2])
    assert f"127.0.0.1:{Settings().port}/readyz" in command[2]


def test_both_set_only_settings_that_there_are(service: dict[str, Any]) -> None:
    given = {*variables(), *service["environment"]}
    assert {name for name in given if name.startswith("PAGEFILE_")} <= SETTINGS


def test_no_secret_stands_in_them() -> None:
    for name in ("Containerfile", "compose.yaml"):
        text = (ROOT / name).read_text(encoding="utf-8")
        assert not re.search(r"pf_[a-z2-7]{8}_|sk-[A-Za-z0-9]|API_KEY(=|:\s+)[^\s$]", text)


def test_compose_runs_it_with_little_right_and_a_volume_and_lets_only_this_machine_in(service: dict[str, Any]) -> None:
    assert service["user"] == f"{only('USER')}:{only('USER')}"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["build"]["dockerfile"] == "Containerfile"
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    whole = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    name, _, folder = service["volumes"][0].partition(":")
    assert name in whole["volumes"]
    assert [folder] == json.loads(only("VOLUME"))


def test_compose_waits_longer_for_the_end_than_the_server_takes(service: dict[str, Any]) -> None:
    assert int(service["stop_grace_period"].removesuffix("s")) > Settings().shutdown_seconds
