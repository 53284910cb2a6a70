"""A report of retrieval runs as a Markdown file, with a chart beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from evaluation import metrics, report
from evaluation.chart import Bar, Panel, svg
from evaluation.retrieval import BUDGET, Run
from evaluation.tables import Sheet

#: Bars of each setting.
_SHOWN = ("recall@10", "nDCG@10")

_LEGEND = f"""\
- recall@k, all@k, hit@k: share of the key among the first k; questions with the whole key there, and with any of it. nDCG@10 and MRR: how
  far up it stands.
- *answer's words*, *whole answers*: share of the answer's words in {BUDGET:,} tokens of notes with their dates and speakers; questions with
  all of them there. An answer that has to be worked out is not contained.
- *notes*: how many came back, of 20 (sessions: 100) that were asked for. *none*: questions for which nothing was returned.
- [95 %]: bootstrap over the questions; differences are paired. They say how sure a figure is for these conversations, not for others.
- *better / worse*: questions on which the setting does better or worse than the first.
- AUROC: how often a question with its evidence in the memory scores above one without, any with any. *same question*: how often it scores
  above itself without, equal scores counting half. *answered*: share that got a note at the default floor. *precision*: of all that was
  answered, the share with evidence. *left out*: share of the turns missing in the memory without. *sharing*: questions that have evidence
  in common with another.
"""


def panels(runs: Sequence[Run], *, seed: int = 0) -> list[Panel]:
    """One for each set and level."""
    made = []
    for name, level, answers in report.groups(runs):
        rows = []
        for setting, each in answers.items():
            found = [report.values(each, measure) for measure in _SHOWN]
            bars = tuple(Bar(value=metrics.mean(one), interval=metrics.interval(one, seed=seed)) for one in found if one)
            rows.append((setting, bars))
        made.append(Panel(title=f"{name}, {level} level", measures=_SHOWN, rows=tuple(rows)))
    return made


def write(path: Path, runs: Sequence[Run], sheets: Sequence[Sheet], *, command: str, seed: int = 0) -> None:
    """Write ``path`` and a chart of the same name that ends in ``.svg``. ``command``: how the run was made, to repeat it."""
    chart = path.with_suffix(".svg")
    chart.write_text(svg(panels(runs, seed=seed)), encoding="utf-8")
    counted = {run.conversation.name: (len(run.conversation.turns), len(run.conversation.questions)) for run in runs}
    said = ", ".join(f"{name} ({turns:,} turns, {questions:,} questions)" for name, (turns, questions) in counted.items())
    parts = [
        "# Retrieval",
        f"    {command}",
        f"Conversations: {said}.",
        f"![recall@10 and nDCG@10 of each setting]({chart.name})",
        *(sheet.markdown() for sheet in sheets),
        "## How to read this",
        _LEGEND,
    ]
    path.write_text("\n\n".join(parts), encoding="utf-8")
