# `make help` lists the commands. Set-up is done by whatever needs it, once.
PYTHON ?= python3
PORT ?= 3000
DATA ?= .local
export PATH := $(CURDIR)/.venv/bin:$(PATH)
# CDK runs on Node 20 as well, and would say at length that it is old.
export JSII_SILENCE_WARNING_END_OF_LIFE_NODE_VERSION := 1

WEB_SOURCES := $(shell find web/src web/public web/build -type f) $(addprefix web/,index.html vite.config.ts tsconfig.json)
LAYER = .layers/python3.13-arm64
EMULATOR_LAYER = .layers/emulator
CDK = node_modules/.bin/cdk
# Settings of a deployment, such as CONTEXT='-c stage=prod -c alarm_email=ops@example.com'; see docs/operations.md.
CONTEXT ?=

.PHONY: help setup run test test-deploy bench check format types layer deploy destroy sam clean
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

# The deployment mostly waits for the emulator, so the other tests run meanwhile.
test: setup web/dist/index.html .venv-sam/installed .venv-emulator/installed $(EMULATOR_LAYER)/python ## Run every test (ARGS= to pass options to pytest; ARGS='-m "not deploy"' leaves the deployment out)
	@scripts/install_browser.sh
ifdef ARGS
	@python -m pytest -n auto --dist worksteal $(ARGS)
else
	@$(MAKE) --no-print-directory test-deploy > .deploy-test.log 2>&1 & deployment=$$!; \
	python -m pytest -n auto --dist worksteal -m 'not deploy'; others=$$?; \
	wait $$deployment; deployed=$$?; cat .deploy-test.log; \
	test $$others = 0 && test $$deployed = 0
endif

test-deploy: setup .venv-emulator/installed $(EMULATOR_LAYER)/python ## Deploy to an emulator of AWS and test what was deployed
	@python -m pytest -m deploy tests/deploy

.venv-emulator/installed: tests/deploy/requirements.txt
	.venv/bin/python -m venv .venv-emulator
	.venv-emulator/bin/python -m pip install --quiet --disable-pip-version-check -r tests/deploy/requirements.txt
	@touch $@

.venv-sam/installed: tests/infrastructure/sam-requirements.txt
	.venv/bin/python -m venv .venv-sam
	.venv-sam/bin/python -m pip install --quiet --disable-pip-version-check -r tests/infrastructure/sam-requirements.txt
	@touch $@

$(EMULATOR_LAYER)/python: layers/requirements.txt layers/build.py | setup
	@python -m layers.build --target $(EMULATOR_LAYER) --platform native --python $$(python -c 'import sys; print("%d.%d" % sys.version_info[:2])')

layer: $(LAYER)/python ## Build the functions' layer for AWS (Python 3.13 on arm64)

$(LAYER)/python: layers/requirements.txt layers/build.py | setup
	@python -m layers.build --target $(LAYER)

deploy: setup layer web/dist/index.html check ## Deploy to AWS: checks and tests, shows the difference, asks (CONTEXT= for settings)
	@python -m pytest -q -n auto tests/infrastructure
	@$(CDK) diff $(CONTEXT)
	@printf 'Deploy this? [y/N] '; read -r answer; [ "$$answer" = y ] || { echo 'Nothing was deployed.'; exit 1; }
	@$(CDK) deploy --all --require-approval never $(CONTEXT)

destroy: setup layer web/dist/index.html ## Take a deployment down again (asks; production keeps its data)
	@$(CDK) destroy --all $(CONTEXT)

sam: setup .venv-sam/installed layer ## Serve the API with sam local (needs Docker, and DynamoDB Local on port 8000)
	@$(CDK) synth --quiet -c auth=none $(CONTEXT)
	@.venv-sam/bin/sam local start-api --port $(PORT) --template cdk.out/StockTrackRecord-api.template.json \
		--env-vars local/sam-environment.json --add-host host.docker.internal:host-gateway

bench: setup ## Measure speed, cold starts, costs and accuracy (about five minutes)
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
	rm -rf .venv .venv-emulator .venv-sam .layers node_modules web/node_modules web/dist cdk.out
	rm -rf .mypy_cache .pytest_cache .ruff_cache
