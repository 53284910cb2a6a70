"""``pagefile``, and ``python -m pagefile``: the command line. One command begins on its own, before the others are loaded."""

from __future__ import annotations

import importlib
import sys


def main() -> None:
    """Run the command line."""
    alone = sys.argv[1:2] == ["mcp"]
    importlib.import_module("pagefile.commands.mcp" if alone else "pagefile.cli").main()


if __name__ == "__main__":
    main()
