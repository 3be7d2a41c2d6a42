# `make` alone lists the targets. Only python3 (3.11 or newer, with venv and pip) and make are needed beforehand.
SHELL := /bin/sh
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

# Settings, all may be given on the command line:
# PYTHON=  the interpreter environments are made with (default: the first suitable one on PATH)
# ARGS=    extra arguments for pytest           JOBS=   test processes (default: one per core)
# PROFILE= hypothesis profile: quick, thorough  SUITE=  one benchmark suite (default: all)
# PORT=    of `make run` (8000)
# GAMES=   random games per ruleset in `make soak`
# REQUESTS= requests per method in `make fuzz`  MINUTES= of `make load`  KILLS= in `make faults`
PYTHON ?=
ARGS ?=
JOBS ?= auto
PROFILE ?= quick
SUITE ?=
GAMES ?= 100000
REQUESTS ?= 20000
MINUTES ?= 30
KILLS ?= 1000
PORT ?= 8000

FIND_PYTHON := sh tools/python.sh $(PYTHON)
ENVIRONMENT = python="$$($(FIND_PYTHON))" && "$$python" tools/environment.py
SERVICES := services/session:services/gateway:clients/bots
SOURCES := services/rules:$(SERVICES):clients/python
TREE := PYTHONPATH=$(SOURCES):. PYTHONDONTWRITEBYTECODE=1 .venv/bin/python
COMPILED := .venv-compiled/bin/python
PYTEST_FLAGS := -n $(JOBS) --hypothesis-profile=$(PROFILE)

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' Makefile

.PHONY: dev
dev: ## create or refresh .venv, the work-tree environment
	@$(ENVIRONMENT) dev

.PHONY: compiled
compiled: ## build the compiled wheel and install it into .venv-compiled, where a C compiler is there
	@$(ENVIRONMENT) compiled

.PHONY: test
test: dev compiled test-tree test-compiled ## install what the tests need and run them all, interpreted and compiled

.PHONY: test-tree
test-tree: dev ## run all tests, interpreted, on the work tree
	.venv/bin/python -m pytest $(PYTEST_FLAGS) $(ARGS)

# This path keeps the work tree's engine off it: the tests then import the installed wheel.
COMPILED_PATH := . services/session services/gateway clients/bots clients/python
.PHONY: test-compiled
test-compiled: compiled ## run the engine tests on the compiled wheel
	@if [ -x $(COMPILED) ]; then \
	  echo 'TURNTABLE_EXPECT=compiled $(COMPILED) -m pytest -o pythonpath="$(COMPILED_PATH)" -m "not tree" $(PYTEST_FLAGS) $(ARGS)'; \
	  TURNTABLE_EXPECT=compiled $(COMPILED) -m pytest -o pythonpath="$(COMPILED_PATH)" -m "not tree" $(PYTEST_FLAGS) $(ARGS); \
	else \
	  echo "NOT RUN: the compiled tests (see the message above); the interpreted tests have run."; \
	fi

.PHONY: check
check: dev ## lint, format, types, import contracts, protos, and no stray file or address in the tree
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/python -m mypy
	PYTHONPATH=$(SOURCES) .venv/bin/lint-imports
	.venv/bin/buf lint proto
	.venv/bin/buf format --diff --exit-code proto
	.venv/bin/buf breaking proto --against proto/baseline.binpb
	.venv/bin/python tools/tree.py

.PHONY: format
format: dev ## format the sources and fix what the linter can fix
	.venv/bin/ruff check --fix-only .
	.venv/bin/ruff format .
	.venv/bin/buf format --write proto

.PHONY: bench
bench: dev compiled ## benchmarks; SUITE=engine runs one; writes bench/results.json
	$(TREE) -m bench $(SUITE)

# An embedded store below data/ keeps the games between runs.
.PHONY: run
run: compiled ## start the server and print its address; PORT=8000, Ctrl-C stops it
	@if [ -x $(COMPILED) ]; then \
	  exec env PYTHONPATH=$(SERVICES) TURNTABLE_GATEWAY_PORT=$(PORT) $(COMPILED) -m turntable_gateway; \
	else $(MAKE) dev && exec env TURNTABLE_GATEWAY_PORT=$(PORT) $(TREE) -m turntable_gateway; fi

.PHONY: demo
demo: dev ## play a demonstration game of every edition in the terminal
	@$(TREE) -m turntable_rules.demo

.PHONY: perft
perft: dev ## count all lines of play to a fixed depth, per ruleset
	$(TREE) -m tools.perft

.PHONY: golden
golden: dev ## replay the golden games line by line
	$(TREE) -m tools.golden

.PHONY: soak
soak: compiled ## random games with every invariant checked; GAMES=100000 per ruleset
	@if [ -x $(COMPILED) ]; then $(COMPILED) -m tools.soak GAMES=$(GAMES); \
	else $(MAKE) dev && $(TREE) -m tools.soak GAMES=$(GAMES); fi

.PHONY: rules-server
rules-server: dev compiled ## run the rules service; settings: TURNTABLE_RULES_... in the environment (docs/rules-service.md)
	@if [ -x $(COMPILED) ]; then exec $(COMPILED) -m turntable_rules.server; \
	else exec env $(TREE) -m turntable_rules.server; fi

.PHONY: session-server
session-server: dev compiled ## run the session service on an embedded store; settings: TURNTABLE_SESSION_... (docs/session-service.md)
	@if [ -x $(COMPILED) ]; then exec env PYTHONPATH=$(SERVICES) $(COMPILED) -m turntable_session.server; \
	else exec env $(TREE) -m turntable_session.server; fi

.PHONY: faults
faults: dev ## kill session processes and Redis under load and check every history; KILLS=1000
	$(TREE) -m tools.faults KILLS=$(KILLS)

.PHONY: fuzz
fuzz: dev compiled ## spoiled requests to every method of a rules server; REQUESTS=20000 per method
	$(TREE) -m tools.fuzz_rules REQUESTS=$(REQUESTS)

.PHONY: load
load: dev compiled ## a rules server under constant mixed load; MINUTES=30
	$(TREE) -m tools.load_rules MINUTES=$(MINUTES)

.PHONY: mutants
mutants: dev ## break the code on purpose, clause by clause, and see a test fail each time
	$(TREE) -m tools.mutants

.PHONY: wheel
wheel: ## build the wheel of the rules engine into dist/, compiled where a C compiler is there
	@$(ENVIRONMENT) wheel

.PHONY: proto
proto: ## generate Python from the protos and build its wheel into dist/
	@$(ENVIRONMENT) proto

# Only for a release: afterwards `make check` forbids what would break the clients of the contract as it is now.
.PHONY: proto-baseline
proto-baseline: dev ## make the present protos the contract that later ones must not break
	.venv/bin/buf build proto --exclude-source-info -o proto/baseline.binpb

.PHONY: lock
lock: ## recompile the pinned requirements (needs the network)
	@$(ENVIRONMENT) lock

.PHONY: clean
clean: ## remove environments, builds and caches
	rm -rf .venv .venv-build .venv-compiled .venv-lock build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -not -path './.git/*' -prune -exec rm -rf {} +
