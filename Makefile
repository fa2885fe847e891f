# `make help` lists the commands. Set-up is done by whatever needs it, once.
PYTHON ?= python3
PORT ?= 3000
DATA ?= .local
export PATH := $(CURDIR)/.venv/bin:$(PATH)

# Settings of your own, one NAME=value a line; see .env.example.
ifneq ($(wildcard .env),)
include .env
export
endif

.PHONY: help setup run test bench check format clean
.DEFAULT_GOAL := help

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: .venv/installed node_modules/installed ## Make .venv and the node packages (the commands below do it by themselves)

.venv/installed: requirements.txt layers/requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with PYTHON=…" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

node_modules/installed: package.json package-lock.json
	@command -v npm >/dev/null || { echo 'npm was not found. Install Node.js 20 or newer (it brings npm), then run make again.' >&2; exit 1; }
	npm ci --silent --no-audit --no-fund
	@touch $@

run: setup ## Start the product on http://127.0.0.1:3000 (PORT=, DATA= to change)
	@python -m local --port $(PORT) --data $(DATA)

test: setup ## Run every test that can run on one machine (ARGS= to pass options to pytest)
	@python -m pytest -n auto --dist worksteal $(ARGS)

bench: setup ## Measure speed, cold starts, costs and accuracy (about ten minutes)
	@python -m bench

check: setup ## Lint and type-check
	ruff format --check .
	ruff check .
	mypy

format: setup ## Format the code
	ruff format .
	ruff check --fix .

clean: ## Remove what set-up made (data in .local stays)
	rm -rf .venv node_modules cdk.out .mypy_cache .pytest_cache .ruff_cache
