"""Commands that look after a memory: doctor, jobs, tidy, consolidate, reindex, stats."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Annotated, Any

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
    not_empty,
    opened,
    progress_bar,
)
from pagefile.costs import DaySpent, Spent
from pagefile.diagnosis import diagnose
from pagefile.discover import model_settings
from pagefile.errors import InputError
from pagefile.settings import load_settings
from pagefile.terminal import money, plain


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


def stats(
    since: Annotated[str | None, typer.Option("--since", callback=not_empty, help="Costs from this day on. Default: 30 days back.")] = None,
    until: Annotated[str | None, typer.Option("--until", callback=not_empty, help="Costs up to this day.")] = None,
    data: Data = None,
    user: User = None,
    as_json: Json = False,
) -> None:
    """Count what is kept, and what models cost by day and user: of the whole store, or with --user of one user."""
    with opened(data, user, as_json) as on:
        whole, today = user is None, datetime.now(on.settings.zone()).date()
        first: date | str = since or today - timedelta(days=30)
        costs = (on.memory if whole else on.mine).costs(since=first, until=until)
        found = _counted(on, whole=whole)
        if as_json:
            on.terminal.json({**found, "costs": [_cost(on, one) for one in costs], "total": _cost(on, None, costs)})
            return
        on.terminal.item(found)
        on.terminal.table(
            ("day", "user", "for", "calls", "read", "cached", "written", "cost"),
            [*(_row(on, _cost(on, one)) for one in costs), *([_row(on, _cost(on, None, costs))] if costs else [])],
        )


def _cost(on: Opened, one: DaySpent | None, every: Sequence[DaySpent] = ()) -> dict[str, object]:
    """What was spent on a day for one purpose; without a day, all of it."""
    spent = one.spent if one else sum((each.spent for each in every), Spent())
    prices = on.settings.prices()
    return {
        **({"day": one.day, "tenant": one.scope.tenant, "user": one.scope.user, "for": one.purpose} if one else {}),
        **plain(spent),
        **({"cost": round(prices.of(spent), 6), "currency": on.settings.currency} if prices.known else {}),
    }


def _row(on: Opened, cost: dict[str, Any]) -> tuple[str, ...]:
    tenant = cost.get("tenant", on.settings.tenant)
    user = cost.get("user", "") if tenant == on.settings.tenant else f"{tenant}/{cost['user']}"
    numbers = [f"{cost[name]:,}" for name in ("calls", "input_tokens", "cached_tokens", "output_tokens")]
    price = money(cost["cost"], on.settings.currency) if "cost" in cost else ""
    return str(cost.get("day", "in all")), user, str(cost.get("for", "")), *numbers, price


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
