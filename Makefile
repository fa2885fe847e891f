# `make help` lists the commands. Each command installs what it needs, once.
PYTHON ?= python3
PORT ?= 3000
DATA ?= .local
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# Tests and CDK start hundreds of Python processes: each module is compiled once, even where the shell forbids bytecode.
export PYTHONDONTWRITEBYTECODE :=
# CDK works on Node 20 too; jsii warns at length unless its major version is named here.
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION := 20

WEB_SOURCES := $(shell find web/src web/public web/build -type f) $(addprefix web/,index.html vite.config.ts tsconfig.json)
EMULATOR_LAYER = .layers/emulator
# One test process more than there are processors, since tests of servers and browsers wait much of their time.
WORKERS ?= $(shell echo $$(($$(getconf _NPROCESSORS_ONLN) + 1)))
# A file at a time, so that its servers and browsers are started once; as tests/conftest.py divides and orders them.
SIDE_BY_SIDE = -n $(WORKERS) --dist loadfile --no-loadscope-reorder
# Schemathesis makes its requests up while tests are collected, which each of the other processes would repeat.
IN_ONE_PROCESS = tests/deploy tests/contract/test_schemathesis.py
# Left out of `make test-unit` as folders, since collecting some of them already takes long (CDK, Schemathesis).
NOT_UNIT = $(addprefix tests/,browser contract deploy e2e infrastructure resilience)
CLIENT_MODELS = clients/python/stock_track_record_client/models.py
# Environments of their own: uv installs the others, and the emulator and the SAM CLI each pin another boto3 than ours.
SEPARATELY_LOCKED = requirements-uv tests/deploy/requirements tests/infrastructure/sam-requirements
EXPORT = uv export --quiet --frozen --no-emit-project
CDK = node_modules/.bin/cdk
NPM_QUIETLY = --loglevel=error --no-audit --no-fund
# Settings of a deployment: those of config/$(STAGE).json, and such as CONTEXT='-c auth=all'; see docs/operations.md.
STAGE ?= dev
CONTEXT ?=
SETTINGS = -c stage=$(STAGE) $(CONTEXT)
# For `cdk deploy`, such as DEPLOY_OPTIONS=--import-existing-resources.
DEPLOY_OPTIONS ?=

.PHONY: help setup ready run backup restore test test-unit test-deploy soak coverage bench check format types lock layer credentials bootstrap deploy release deploy-release smoke destroy sam clean
.DEFAULT_GOAL := help

help: ## List the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: .venv/dev node_modules/dev web/node_modules/dev ## Install everything, development packages too (the commands below do it by themselves)

# Running needs few packages (the stamps named `run`); tests, checks and deployment need all of them (`dev`).
ready: .venv/run node_modules/run .venv/engine web/dist/index.html
	@:

INSTALL = scripts/install_packages.sh

.venv/run: requirements.txt
	@$(PYTHON) -c 'import sys; sys.exit("Python 3.11 or newer is needed; name one with PYTHON=…" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv
	$(INSTALL) .venv requirements.txt
	@touch $@

.venv/dev: requirements-dev.txt .venv/run
	$(INSTALL) .venv requirements-dev.txt
	@touch $@

# moto stands in where there is no embedded engine for this machine, and comes with the development packages.
.venv/engine: .venv/run node_modules/run
	@.venv/bin/python -c 'from local.engine import dynoxide_binary as binary; raise SystemExit(not binary().exists())' || $(MAKE) --no-print-directory .venv/dev
	@touch $@

node_modules/run: package.json package-lock.json
	@command -v npm >/dev/null || { echo 'npm was not found. Install Node.js 20 or newer (it brings npm), then run make again.' >&2; exit 1; }
	npm ci --omit=dev $(NPM_QUIETLY)
	@touch $@

# `npm ci` starts with an empty folder, so the other stamp is recreated.
node_modules/dev: package.json package-lock.json | node_modules/run
	npm ci $(NPM_QUIETLY)
	@touch node_modules/run $@

web/node_modules/run: web/package.json web/package-lock.json | node_modules/run
	npm ci --omit=dev --prefix web $(NPM_QUIETLY)
	@touch $@

web/node_modules/dev: web/package.json web/package-lock.json | web/node_modules/run
	npm ci --prefix web $(NPM_QUIETLY)
	@touch web/node_modules/run $@

web/dist/index.html: web/node_modules/run $(WEB_SOURCES)
	@echo 'Building the dashboard…'
	@npm run build --prefix web --silent -- --logLevel warn

# Through the environment, so that no character in them means anything to the shell.
run: export PORT := $(PORT)
run backup restore: export DATA := $(DATA)
backup restore: export FILE := $(FILE)
run: ## Start the product on http://127.0.0.1:3000 (PORT=, DATA= to change)
	@$(MAKE) --no-print-directory -j3 ready
	@.venv/bin/python -m local --port="$$PORT" --data="$$DATA"

backup: .venv/run ## Write the product's data into one file, also while it runs (FILE=, DATA= to change)
	@.venv/bin/python -m local.backup --data="$$DATA" $${FILE:+--to="$$FILE"}

restore: .venv/run ## Bring a backup back, while the product is stopped (FILE=…, DATA= to change)
	@[ -n "$$FILE" ] || { echo 'Name the backup: make restore FILE=…' >&2; exit 1; }
	@.venv/bin/python -m local.backup --data="$$DATA" --restore="$$FILE"

# The tests of the deployment take long, one after the other, so the others run beside them and give way.
test: setup web/dist/index.html .venv-sam/installed .venv-emulator/installed $(EMULATOR_LAYER)/python ## Run every test (ARGS= to pass options to pytest; ARGS='-m "not deploy"' leaves the deployment out)
	@scripts/install_browser.sh
ifdef ARGS
	@.venv/bin/python -m pytest $(SIDE_BY_SIDE) $(ARGS)
else
	@.venv/bin/python -m pytest $(IN_ONE_PROCESS) > .deploy-test.log 2>&1 & deployment=$$!; \
	nice .venv/bin/python -m pytest $(SIDE_BY_SIDE) $(addprefix --ignore=,$(IN_ONE_PROCESS)); others=$$?; \
	wait $$deployment; deployed=$$?; cat .deploy-test.log; \
	test $$others = 0 && test $$deployed = 0
endif

test-unit: setup ## Run the fast tests, in about a minute: no server, database, browser or deployment (ARGS= for pytest)
	@.venv/bin/python -m pytest -q -n auto --dist worksteal -m 'not service' $(addprefix --ignore=,$(NOT_UNIT)) $(ARGS)

test-deploy: setup .venv-emulator/installed $(EMULATOR_LAYER)/python ## Deploy to an emulator of AWS and test what was deployed
	@.venv/bin/python -m pytest -m deploy tests/deploy

.venv-emulator/installed: tests/deploy/requirements.txt
	.venv/bin/python -m venv --without-pip .venv-emulator
	$(INSTALL) .venv-emulator tests/deploy/requirements.txt
	@touch $@

.venv-sam/installed: tests/infrastructure/sam-requirements.txt
	.venv/bin/python -m venv --without-pip .venv-sam
	$(INSTALL) .venv-sam tests/infrastructure/sam-requirements.txt
	@touch $@

$(EMULATOR_LAYER)/python: layers/requirements.txt layers/build.py | setup
	@.venv/bin/python -m layers.build --target $(EMULATOR_LAYER) --platform native --python $$(.venv/bin/python -c 'import sys; print("%d.%d" % sys.version_info[:2])')

layer: setup ## Build the functions' layer for AWS, for the Python and processor of the settings
	@.venv/bin/python -m layers.build $(SETTINGS)

credentials: .venv/run
	@.venv/bin/python scripts/check_credentials.py $(SETTINGS)

bootstrap: credentials setup ## Prepare an account and region for deployments, once
	@$(CDK) bootstrap $$(.venv/bin/python -m operations.deployment $(SETTINGS))

deploy: credentials setup layer web/dist/index.html check ## Deploy to AWS: checks and tests, shows the difference, asks, looks whether it works (STAGE=, CONTEXT= for settings, YES=1 not to ask)
	@.venv/bin/python -m operations.check_stage $(SETTINGS)
	@.venv/bin/python -m pytest -q -n auto tests/infrastructure
	@$(CDK) diff $(SETTINGS)
	@[ '$(YES)' = 1 ] || { printf 'Deploy this? [y/N] '; read -r answer; [ "$$answer" = y ] || { echo 'Nothing was deployed.'; exit 1; }; }
	@$(CDK) deploy --all --require-approval never --outputs-file cdk.out/outputs.json $(DEPLOY_OPTIONS) $(SETTINGS)
	@.venv/bin/python -m operations.smoke --outputs cdk.out/outputs.json $(SETTINGS)

# What deploying and the smoke test need. The packages of CDK are large and only needed to synthesise.
RELEASED = Makefile cdk.json cdk.out config functions infra operations node_modules/aws-cdk node_modules/.bin/cdk .venv
release: setup layer web/dist/index.html check ## Check, test and build what `make deploy-release` deploys; needs no account
	@.venv/bin/python -m pytest -q -n auto tests/infrastructure
	@$(CDK) synth --all --quiet $(SETTINGS)
	@tar -czf release.tar.gz $(addprefix --exclude=site-packages/,aws_cdk jsii playwright) $(RELEASED)

deploy-release: ## Deploy what `make release` built: installs and builds nothing
	@.venv/bin/python -m operations.check_stage $(SETTINGS)
	@$(CDK) deploy --app cdk.out --all --require-approval never --outputs-file cdk.out/outputs.json $(DEPLOY_OPTIONS)
	@.venv/bin/python -m operations.smoke --outputs cdk.out/outputs.json $(SETTINGS)

smoke: setup ## Check that a deployment works, leaving nothing behind (URL= of the page, TOKEN= of the API)
	@.venv/bin/python -m operations.smoke '$(URL)'

# A second time, because access logs may arrive after the buckets were emptied.
destroy: credentials setup layer web/dist/index.html ## Take a deployment down again (asks; production keeps its data)
	@.venv/bin/python -m operations.check_stage $(SETTINGS)
	@printf 'Destroy all stacks of $(STAGE)? [y/N] '; read -r answer; [ "$$answer" = y ] || { echo 'Nothing was destroyed.'; exit 1; }
	@for attempt in 1 2; do \
		.venv/bin/python -m operations.empty $(SETTINGS) && $(CDK) destroy --all --force $(SETTINGS) && exit 0; \
	done; exit 1

# Containers run on this machine's processor, whichever functions have on AWS.
SAM_SETTINGS = -c architecture=$(if $(filter arm64 aarch64,$(shell uname -m)),arm64,x86_64) -c auth=none -c direct_api=true $(CONTEXT)
sam: setup .venv-sam/installed ## Serve the API with sam local (needs Docker, and DynamoDB Local from docker compose)
	@.venv/bin/python -m layers.build $(SAM_SETTINGS)
	@$(CDK) synth --quiet $(SAM_SETTINGS)
	@.venv-sam/bin/sam local start-api --port $(PORT) --template cdk.out/StockTrackRecord-api.template.json \
		--env-vars local/sam-environment.json --docker-network stock-track-record --warm-containers LAZY

soak: setup web/dist/index.html .venv-sam/installed .venv-emulator/installed $(EMULATOR_LAYER)/python ## Run the randomised tests for an hour or so: more seeds, longer histories, every screen (CRASH_SEED=, FAULT_SEED= to repeat one)
	@scripts/install_browser.sh
	@SOAK=1 .venv/bin/python -m pytest -n auto --dist worksteal tests/resilience tests/unit/record/scoring tests/contract/test_schemathesis.py \
		tests/unit/test_cold_start.py tests/unit/reading/test_captions.py tests/infrastructure/test_gates.py tests/infrastructure/test_changes.py tests/unit/transfers tests/integration/transfers/test_archives.py tests/spreadsheets/opened_by_libreoffice.py \
		tests/integration/local/test_runner.py tests/integration/plans/test_plans.py tests/browser $(ARGS)
	@SOAK=1 .venv/bin/python -m pytest -m deploy tests/deploy $(ARGS)

coverage: setup web/dist/index.html ## Measure how much of the code the tests run (all but the deployment, browser and resilience tests)
	@.venv/bin/python -m pytest -q -n auto --dist worksteal --cov --cov-report=term:skip-covered \
		--ignore tests/deploy --ignore tests/browser --ignore tests/resilience

bench: setup ## Measure speed, cold starts, costs and accuracy (about five minutes)
	@.venv/bin/python -m bench

check: setup ## Lint and type-check
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/lint-imports --no-cache
	.venv/bin/mypy
	npm run check --prefix web --silent

format: setup ## Format the code
	.venv/bin/ruff format .
	.venv/bin/ruff check --fix .
	npm run format --prefix web --silent

types: setup ## Generate what the code declares: the API's types for the dashboard and the Python client, docs/access-patterns.md and docs/costs.md
	.venv/bin/python -m scripts.write_access_patterns > docs/access-patterns.md
	.venv/bin/python -m scripts.write_costs > docs/costs.md
	.venv/bin/python scripts/write_openapi.py > web/openapi.json
	npm run types --prefix web --silent
	.venv/bin/python scripts/write_client_models.py > $(CLIENT_MODELS)

# What was locked stays as it is; ARGS=--upgrade takes the newest of what is not pinned.
lock: setup ## Lock every Python and node package after a change of pyproject.toml, a *.in file or a package.json
	@uv lock --quiet $(ARGS)
	@$(EXPORT) --only-group layer --output-file layers/requirements.txt
	@$(EXPORT) --only-group run --output-file requirements.txt
	@$(EXPORT) --only-group dev --output-file requirements-dev.txt
	@for requirements in $(SEPARATELY_LOCKED); do \
		uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
			--custom-compile-command 'make lock' $(ARGS) $$requirements.in --output-file $$requirements.txt || exit 1; \
	done
	@npm install --package-lock-only --omit-lockfile-registry-resolved $(NPM_QUIETLY)
	@npm install --package-lock-only --omit-lockfile-registry-resolved --prefix web $(NPM_QUIETLY)

clean: ## Remove what set-up made (data in .local stays)
	rm -rf .venv .venv-emulator .venv-sam .layers node_modules web/node_modules web/dist cdk.out
	rm -rf .mypy_cache .pytest_cache .ruff_cache .coverage*
