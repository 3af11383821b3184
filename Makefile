# `make help` lists what there is.
PY := .venv/bin/python
PYTEST_OPTIONS ?= -n 2

.DEFAULT_GOAL := help
.PHONY: help run audit admin backup restore drill test soak screenshots messages bench check lock setup setup-dev clean

help: ## list these commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-10s %s\n", $$1, $$2}'

run: setup ## start everything (HOST, PORT, CALLBREAK_DATA_DIR, DATABASE_URL, REDIS_URL); Ctrl-C stops it
	@exec $(PY) manage.py up

admin: setup ## make an administrator, while the service runs
	@exec $(PY) manage.py createsuperuser

backup: setup ## save the database: into the data folder, or FILE=…
	@exec $(PY) manage.py backup $(if $(FILE),"$(FILE)")

restore: setup ## bring a backup back: FILE=…, while the service does not run
	@exec $(PY) manage.py restore "$(FILE)"

drill: setup-dev ## rehearse: save under load, bring it back into an empty cluster, verify, play on (PEOPLE, SECONDS)
	@DRILL_PEOPLE=$(PEOPLE) DRILL_SECONDS=$(SECONDS) $(PY) -m pytest -q tests/site/test_drill.py

test: setup-dev check ## run everything: the checks, then all tests on a real PostgreSQL and Redis
	@exec $(PY) -m pytest $(PYTEST_OPTIONS)

soak: setup-dev ## play at length while things are killed: MINUTES=10 PLAYS=… KILLS_EVERY=10 (seconds)
	@exec $(PY) -m tests.faults.soak $(if $(MINUTES),--minutes $(MINUTES)) $(if $(PLAYS),--plays $(PLAYS)) \
		$(if $(KILLS_EVERY),--kills-every $(KILLS_EVERY))

screenshots: setup-dev ## pictures of every page at three sizes, light and dark, into var/screenshots/
	@exec $(PY) -m tests.e2e.screenshots

bench: setup-dev ## measure, as ratios with targets; ONLY=plays (or another line), SECONDS=3, GAMES=1000
	@scripts/venv bench
	@exec $(PY) -m tests.benchmarks $(if $(ONLY),--only $(ONLY)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(GAMES),--games $(GAMES))

check: setup-dev ## format, lint, types, imports, migrations, settings and the API's schema
	$(PY) -m ruff format --check .
	$(PY) -m ruff check .
	.venv/bin/lint-imports --no-logo
	$(PY) -m mypy
	$(PY) manage.py check --fail-level WARNING
	$(PY) -W ignore::RuntimeWarning manage.py makemigrations --check --dry-run
	$(PY) manage.py spectacular --validate --fail-on-warn --format openapi-json --file /dev/null

audit: setup-dev ## before a release: bandit, secrets in the tree, known holes in what is installed
	@scripts/audit

messages: setup-dev ## gather what the pages say into locale/, for translating
	@exec $(PY) scripts/messages

lock: setup-dev ## write requirements*.txt anew from requirements*.in
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 requirements.in -o requirements.txt
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 requirements-dev.in -o requirements-dev.txt
	.venv/bin/uv pip compile -q --universal --generate-hashes --no-header --python-version 3.11 requirements-bench.in -o requirements-bench.txt

setup: ## make .venv and install what the service needs
	@scripts/venv run

setup-dev: ## make .venv and install what the tests need too
	@scripts/debian
	@scripts/venv dev

clean: ## remove .venv and caches; the data stay
	rm -rf .venv .tools .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
