# make run: the whole portal on this machine.  make test: the whole test suite.  make check: lint and types.
# Everything is made inside this folder: .venv, node_modules, .env and var/.

PYTHON ?= python3.11
PORT ?= 8000
BIN := .venv/bin
export SEED PORT

.PHONY: tools run test check lint types screenshot clean

run: tools .venv/runtime node_modules/.installed
	@$(BIN)/python -m hotelapp.demo.env
	@$(BIN)/python manage.py run_demo --port $(PORT)

test: tools .venv/dev node_modules/.installed
	@$(BIN)/python -m tests.chromium
	@$(BIN)/python -m pytest $(ARGS)

check: lint types

lint: .venv/dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: .venv/dev
	@$(BIN)/mypy

screenshot: .venv/dev node_modules/.installed
	@SCREENSHOT=docs/rooms.png $(BIN)/python -m pytest -q -n 0 tests/test_browser.py -k picture

clean:
	rm -rf .venv node_modules

tools:
	@command -v $(PYTHON) >/dev/null || { echo "Python 3.11 is missing. Install it, or name it: make PYTHON=/path/to/python3.11"; exit 1; }
	@command -v npm >/dev/null || { echo "npm is missing. Install Node.js (which brings npm), then run make again."; exit 1; }

.venv/bin/python:
	@$(PYTHON) -m venv .venv

.venv/runtime: requirements.txt | .venv/bin/python
	@echo "Installing the Python packages ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/dev: requirements.txt requirements-dev.txt | .venv/bin/python
	@echo "Installing the Python packages for tests ..."
	@$(BIN)/pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	@touch $@ .venv/runtime

node_modules/.installed: package.json
	@echo "Installing the embedded engine ..."
	@npm install --silent
	@touch $@
