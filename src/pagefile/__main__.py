"""``python -m pagefile`` is the command line."""

from pagefile.cli import main

main()
