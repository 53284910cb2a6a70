# Every target sets up what it needs. A fresh machine needs Python 3.11 or newer, make and git.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
DATA ?=

.PHONY: chat test format bench evaluate clean

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[local,server,metrics,dev]"
	$(BIN)/python -m compileall -q src/pagefile  # an editable install is not compiled by pip
	@touch $@

chat: $(VENV)/.installed  ## Talk to something that remembers
	@$(BIN)/pagefile chat

test: $(VENV)/.installed  ## Lint, types and tests
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n auto --maxprocesses 8 --dist worksteal

format: $(VENV)/.installed  ## Put the code into the agreed form
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(VENV)/.installed  ## Speed, memory and growth
	$(BIN)/python -m benchmarks

evaluate: $(VENV)/.installed  ## How well things are found: make evaluate DATA=path
	$(BIN)/python -m evaluation retrieval $(DATA)

clean:
	rm -rf $(VENV) dist
