"""Commands that look after a memory: doctor, jobs, tidy, consolidate, reindex, stats."""

from __future__ import annotations

from typing import Annotated

import typer

from pagefile.commands.opening import (
    After,
    Data,
    DryRun,
    Json,
    Limit,
    ModelName,
    Opened,
    User,
    finish,
    model_settings,
    opened,
    progress_bar,
)
from pagefile.diagnosis import diagnose
from pagefile.errors import InputError
from pagefile.settings import load_settings
from pagefile.terminal import plain


def doctor(model: ModelName = None, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Check that everything works: data, embedder, model, learning, and what leaves this machine."""
    settings = load_settings(data=data, user=user, model=model)
    with opened(data, user, as_json, settings=settings) as on:
        findings = diagnose(on.memory, on.mine, settings, model_settings(settings))
        if as_json:
            on.terminal.json(findings)
        for finding in findings:
            on.terminal.say(f"{'ok  ' if finding.ok else 'FAIL'}  {finding.what:<10} {finding.said}", style="" if finding.ok else "red")
        if not all(finding.ok for finding in findings):
            raise typer.Exit(1)


def jobs(
    dead: Annotated[bool, typer.Option("--dead", help="Only those that were given up.")] = False,
    retry: Annotated[bool, typer.Option("--retry", help="Try again what was given up.")] = False,
    limit: Limit = 50,
    after: After = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """List background work of the whole store that waits, runs or was given up."""
    if retry and after:
        raise InputError("--retry tries everything that was given up; leave out --after")
    with opened(data, user, as_json, learns=retry) as on:
        if retry:
            tried = on.memory.revive([job.id for job in on.memory.jobs(state="dead", limit=10_000).items])
            on.terminal.hint(f"{tried} tried again")
            finish(on)
        on.terminal.scan(on.memory.jobs(state="dead" if dead else None, limit=limit, after=after), on.terminal.jobs)


def tidy(dry_run: DryRun = False, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Put away what is of no more use: what expired, was never confirmed, or is among the weakest of too many. Done every night."""
    with opened(data, user, as_json) as on:
        done = on.mine.tidy(dry_run=dry_run)
        if as_json:
            on.terminal.json(done)
            return
        on.terminal.table(("reason", "text", "id"), ((one.reason, on.mine.get(one.id).text, one.id) for one in done.retired))
        on.terminal.hint(f"{len(done.retired)} {'would be put' if dry_run else 'put'} away; `pagefile restore ID` brings back")


def consolidate(dry_run: DryRun = False, data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Merge records that say the same, and summarise old sessions. Done every night."""
    with opened(data, user, as_json, learns=not dry_run) as on:
        done = on.mine.consolidate(dry_run=dry_run)
        finish(on)
        if as_json:
            on.terminal.json(done)
            return
        on.terminal.diffs(done.diffs)
        for summary in done.summaries:
            on.terminal.say(f"summary of session {summary.session}", style="bold")
            on.terminal.say(f"+ {summary.text}")
        would = "would be " if dry_run else ""
        on.terminal.hint(f"{len(done.diffs)} {would}merged, {len(done.summaries)} {would}summarised; `pagefile undo CHANGE` takes back")


def reindex(data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Make the vectors that are missing, for instance after a change of embedder. It can be stopped and run again."""
    with opened(data, user, as_json) as on, progress_bar(on.terminal) as progress:
        task = progress.add_task("embedding", total=None)
        done = on.memory.reindex(lambda made, total: progress.update(task, completed=made, total=total))
        on.terminal.json(done) if as_json else on.terminal.say(f"{done.embedded} embedded, {done.left} left")


def stats(data: Data = None, user: User = None, as_json: Json = False) -> None:
    """Count what is kept: of the whole store, or with --user of one user; and what learning by a model cost that user today."""
    with opened(data, user, as_json) as on:
        on.terminal.item(_counted(on, whole=user is None))


def _counted(on: Opened, *, whole: bool) -> dict[str, object]:
    settings, spent = on.settings, on.mine.spent()
    return {
        **plain(on.memory.stats() if whole else on.mine.stats()),
        "learning": {
            "by": settings.learn_by(),
            "calls_today": spent.calls,
            "tokens_today": spent.tokens,
            "calls_a_day": settings.learn_calls,
            "tokens_a_day": settings.learn_tokens,
        },
    }
