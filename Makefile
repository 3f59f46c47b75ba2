# Every target sets up its own virtual environment from requirements.lock first.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# What the auditor rejects and accepts, which `python -O` must not change; pytest's own assertions survive it.
AUDIT_TESTS := $(addprefix tests/certificates/test_, audit.py codec.py forgeries.py kernel.py kernel_folds.py refutation.py)
SOURCES := $(shell git ls-files --cached --others --exclude-standard '*.py' '*.toml' 'frontends/*.txt' | grep -v '^tests/')

# A refactoring of a query that is proved, and one that is refuted on Spark.
DEMO := examples/sql

COQ_NEEDED := Coq 8.16 or newer and OCaml, in Debian: apt-get install coq ocaml ocaml-findlib

.PHONY: check clean conformance coq corpus bench demo docs lessons lint lock paper reproduce test test-slow test-streams

$(VENV)/.dependencies: requirements.lock
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	touch $@

# A strict editable install links each source file, so it is renewed whenever the list of files changes. Setuptools
# warns of each such install, at length.
$(VENV)/.installed: $(VENV)/.dependencies pyproject.toml $(VENV)/.sources
	PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
	  --config-settings editable_mode=strict --editable .
	$(BIN)/python -m compileall -q build/__editable__.*
	touch $@

$(VENV)/.sources: FORCE | $(VENV)/.dependencies
	@echo '$(SOURCES)' | cmp -s - $@ || echo '$(SOURCES)' > $@

FORCE:

demo: $(VENV)/.installed
	rm -rf results/demo
	$(BIN)/tallystick suite sparklite-cav --spark "local[2]" --results results/demo
	$(BIN)/tallystick check $(DEMO)/shipped.sql $(DEMO)/shipped_faster.sql --schema $(DEMO)/schema.sql
	$(BIN)/tallystick check $(DEMO)/shipped.sql $(DEMO)/shipped_wrong.sql --schema $(DEMO)/schema.sql --replay spark; test $$? = 1

reproduce: $(VENV)/.installed
	$(BIN)/tallystick reproduce sparklite

# The rules in Coq, proved sound, and the auditor that is extracted from them to build/coq/auditor.
coq:
	@command -v coqc > /dev/null && command -v ocamlfind > /dev/null || { echo '$(COQ_NEEDED)'; exit 1; }
	$(MAKE) --no-print-directory -C coq

# The fast part of the checks, for every change: what starts Spark and what takes more than a second is left to `test`.
check: lint
	$(BIN)/pytest -m "not slow and not spark and not longer" -n 2

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright
	$(BIN)/lint-imports

test: lint $(if $(shell command -v coqc),$(if $(shell command -v ocamlfind),coq))
	$(BIN)/pytest -m "not slow" -n 2
	$(BIN)/python -O -m pytest -m "not slow" -n 2 -W ignore::pytest.PytestConfigWarning $(AUDIT_TESTS)

# The long tests, and all random examples of those that Hypothesis makes.
test-slow: $(VENV)/.installed
	$(BIN)/pytest -m "slow or hypothesis" --hypothesis-profile all

# All that is known of streams, slow tests on Spark included: the engines for 36 letters, and every planted fault.
test-streams: $(VENV)/.installed
	$(BIN)/pytest tests/streaming

# Realistic functions against a right and a wrong refactoring each, on Spark: what is read, proved and refuted.
corpus: $(VENV)/.installed
	$(BIN)/python -m tallystick.experiments.corpus tests/corpus --spark

# The table of tests/conformance on all engines; writes what was verified: the page and the files of evidence.
conformance: $(VENV)/.installed
	PYTHONPATH=tests $(BIN)/python -m conformance --write

# Adds a line to benchmarks/history.jsonl, and prints what became slower by a tenth since the last one.
bench: $(VENV)/.installed
	$(BIN)/python benchmarks/history.py
	$(BIN)/python docs/generate.py
	$(BIN)/python benchmarks/cold_check.py
	$(BIN)/python benchmarks/sparklite.py
	$(BIN)/python benchmarks/beyond.py
	$(BIN)/python benchmarks/generated.py
	$(BIN)/python benchmarks/audit_growth.py
	$(BIN)/python benchmarks/evidence.py
	$(BIN)/python benchmarks/quantifier_elimination.py
	$(BIN)/python benchmarks/machines.py
	$(BIN)/python benchmarks/throughput.py
	$(BIN)/python benchmarks/streaming.py

# Runs the suites, and compiles the paper from their records to build/paper/tallystick.pdf.
paper: $(VENV)/.installed
	$(BIN)/python paper/generate.py
	$(BIN)/python paper/compile.py

# The documentation as a site, build/docs/index.html, with the reference made anew; a link that leads nowhere is an error.
docs: $(VENV)/.installed
	$(BIN)/python docs/generate.py
	rm -rf build/docs
	$(BIN)/python -m sphinx --quiet --fail-on-warning --keep-going -c docs . build/docs

# The lessons as notebooks and as handouts, build/lessons.
lessons: $(VENV)/.installed
	$(BIN)/python lessons/lesson_forms.py

lock: $(VENV)/.dependencies
	$(BIN)/pip-compile --quiet --strip-extras --generate-hashes --allow-unsafe --extra all --extra docs --extra test --all-build-deps \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --output-file requirements.lock pyproject.toml

clean:
	rm -rf $(VENV) build .pytest_cache .ruff_cache .hypothesis
