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

WEB_SOURCES := $(shell find web/src web/public web/build -type f) $(addprefix web/,index.html vite.config.ts tsconfig.json)

.PHONY: help setup run test bench check format types clean
.DEFAULT_GOAL := help

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: .venv/installed node_modules/installed web/node_modules/installed ## Make .venv and the node packages (the commands below do it by themselves)

.venv/installed: requirements.txt layers/requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with PYTHON=…" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	.venv/bin/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

node_modules/installed: package.json package-lock.json
	@command -v npm >/dev/null || { echo 'npm was not found. Install Node.js 20 or newer (it brings npm), then run make again.' >&2; exit 1; }
	npm ci --silent --no-audit --no-fund
	@touch $@

web/node_modules/installed: web/package.json web/package-lock.json | node_modules/installed
	# Not `npm ci`: it refuses a lock file that lacks the binaries of other platforms.
	npm install --no-save --prefix web --silent --no-audit --no-fund
	@touch $@

web/dist/index.html: web/node_modules/installed $(WEB_SOURCES)
	@npm run build --prefix web --silent

run: setup web/dist/index.html ## Start the product on http://127.0.0.1:3000 (PORT=, DATA= to change)
	@python -m local --port $(PORT) --data $(DATA)

test: setup web/dist/index.html ## Run every test that can run on one machine (ARGS= to pass options to pytest)
	@scripts/install_browser.sh
	@python -m pytest -n auto --dist worksteal $(ARGS)

bench: setup ## Measure speed, cold starts, costs and accuracy (about ten minutes)
	@python -m bench

check: setup ## Lint and type-check
	ruff format --check .
	ruff check .
	mypy
	npm run check --prefix web --silent

format: setup ## Format the code
	ruff format .
	ruff check --fix .
	npm run format --prefix web --silent

types: setup ## Write the dashboard's types of the API anew
	python scripts/write_openapi.py > web/openapi.json
	npm run types --prefix web --silent

clean: ## Remove what set-up made (data in .local stays)
	rm -rf .venv node_modules web/node_modules web/dist cdk.out .mypy_cache .pytest_cache .ruff_cache
