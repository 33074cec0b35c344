PYTHON ?= python3
BIN := .venv/bin
LOCK := requirements-checks.txt
OLDER := mcp==1.30.0 mcp-server-sqlite==2025.4.25
NODE := @modelcontextprotocol/server-memory@2026.8.31
INSTALL := $(BIN)/pip install --quiet --disable-pip-version-check --constraint $(LOCK)

.DEFAULT_GOAL := help
.PHONY: help report test quick bench lock clean
.DELETE_ON_ERROR:

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

report: .venv/runtime  ## print the tables of the metering scenario
	@$(BIN)/python -m toolbench report

test: .venv/checks  ## run everything that the project checks
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/pytest -n auto --maxprocesses 8 --dist loadfile --cov

quick: .venv/checks  ## the usual loop: style, and the tests that are not slow
	$(BIN)/ruff check
	$(BIN)/pytest -n auto --maxprocesses 8 --dist loadfile -m "not slow" --hypothesis-profile quick

bench: .venv/checks  ## run every benchmark
	@set -e; for file in benchmarks/*.py; do echo "== $$file"; $(BIN)/python $$file; done

lock:  ## write requirements-checks.txt anew, with the newest versions
	rm -rf build/lock
	$(PYTHON) -m venv build/lock
	build/lock/bin/pip install --quiet --disable-pip-version-check ".[checks]"
	grep '^#' $(LOCK) > build/lock.txt
	build/lock/bin/pip freeze --exclude toolbench-defects >> build/lock.txt
	mv build/lock.txt $(LOCK)
	rm -rf build/lock

clean:  ## remove the environment and everything that was made
	rm -rf .venv build dist .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The files below say that .venv holds what pyproject.toml and the lock ask for.

.venv/runtime: pyproject.toml hatch_build.py $(LOCK)
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Python 3.11 or later is needed: make PYTHON=python3.11")'
	$(PYTHON) -m venv .venv
	$(INSTALL) hatchling editables
	$(INSTALL) --no-build-isolation --editable .
	@touch $@

# Servers that the tests check: one on the line before of the SDK, and one on node where that is there.
.venv/checks: .venv/runtime
	$(INSTALL) --no-build-isolation --editable ".[checks]"
	$(PYTHON) -m venv .venv/older
	.venv/older/bin/pip install --quiet --disable-pip-version-check $(OLDER)
	@if command -v npm > /dev/null; then npm install --silent --no-audit --no-fund --prefix .venv/node $(NODE); fi
	@touch $@
