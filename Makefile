# Everything runs from a virtual environment that each target sets up once and then reuses.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime-$(shell sha256sum requirements.lock pyproject.toml | sha256sum | cut -c1-16)
SYSTEM := $(VENV)/.system
DEVELOPMENT := $(VENV)/.development-$(shell sha256sum requirements-dev.lock | cut -c1-16)
KERNELS := $(VENV)/.kernels-$(shell find core/kernels -name '*.py' | sort | xargs cat | sha256sum | cut -c1-16)

.PHONY: help demo serve test lint format lock clean

help:  ## Show this list
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

demo: $(RUNTIME) $(KERNELS)  ## Find hidden documents in a pile of real text (add ARGS="--keep", ARGS="--help", ...)
	$(BIN)/seedbed demo $(ARGS)

serve: $(RUNTIME) $(KERNELS)  ## Run the service: API and worker, on SQLite
	$(BIN)/seedbed serve $(ARGS)

# More than cores, as some tests wait: two that do so at once keep no core idle.
TEST_PROCESSES = $(shell $(BIN)/python -c 'import os; print(os.cpu_count() + 2)')

test: $(SYSTEM) $(DEVELOPMENT) $(KERNELS)-compiled  ## Run the tests
	@# Threads of the test processes would only wait for each other, at full load.
	OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 $(BIN)/python -m pytest --numprocesses $(TEST_PROCESSES) --dist worksteal $(ARGS)

lint: $(DEVELOPMENT)  ## Check format, style and types
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

format: $(DEVELOPMENT)  ## Format the code and mend what can be mended
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

lock: $(BIN)/uv  ## Resolve the versions and hashes of all requirements anew
	$(BIN)/uv pip compile pyproject.toml --extra lightgbm --extra postgresql --group build \
		--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--upgrade --quiet -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra lightgbm --extra postgresql --group build --group dev -c requirements.lock \
		--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--upgrade --quiet -o requirements-dev.lock
	echo uv | $(BIN)/uv pip compile - \
		--universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header --no-annotate \
		--upgrade --quiet -o requirements-uv.lock

clean:  ## Remove the virtual environment and every cache
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
	find app benchmarks core migrations tests -name __pycache__ -prune -exec rm -rf {} +

# Debian ships the module that fills a virtual environment apart from Python itself.
$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Seedbed needs Python 3.11 or later; set PYTHON=/path/to/python3.11"; exit 1; }
	@$(PYTHON) -c 'import ensurepip' 2>/dev/null || [ "$$(id -u)" != 0 ] \
		|| { apt-get update -qq && apt-get install -y -qq python3-venv; }
	@$(PYTHON) -m venv $(VENV) \
		|| { rm -rf $(VENV); echo "Could not make a virtual environment. On Debian: sudo apt-get install python3-venv"; exit 1; }

# pip installs and compiles one package after the other: that takes four times as long.
$(BIN)/uv: $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-uv.lock

INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python

$(RUNTIME): $(BIN)/uv
	$(INSTALL) --compile-bytecode --require-hashes -r requirements.lock
	$(INSTALL) --no-deps --no-build-isolation --editable .
	@touch $@

# The page is tested in Chromium, of which the one without windows takes half the time. LightGBM
# takes the OpenMP library of the system, which a bare Debian lacks. Without either, tests are
# skipped.
$(SYSTEM): | $(BIN)/python
	@{ { command -v chromium-headless-shell || command -v chromium; } && ldconfig -p | grep libgomp.so.1; } >/dev/null 2>&1 \
		|| [ "$$(id -u)" != 0 ] || ! command -v apt-get >/dev/null \
		|| { apt-get update -qq && apt-get install -y -qq --no-install-recommends chromium-headless-shell libgomp1; } >/dev/null
	@touch $@

$(DEVELOPMENT): $(RUNTIME)
	$(INSTALL) --compile-bytecode --require-hashes -r requirements-dev.lock
	@touch $@

# Compiled code is kept until its own file changes, even where another one does that it calls.
$(KERNELS): | $(BIN)/python
	@find core -name '*.nb[ic]' -delete
	@rm -f $(VENV)/.kernels-*
	@touch $@

# Each of the processes that test would begin by compiling what `auto`, large graphs and the counting
# of long texts need.
$(KERNELS)-compiled: $(DEVELOPMENT) $(KERNELS)
	@PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --quiet --numprocesses 2 --dist loadfile \
		core/auto/text_classifier.py tests/core/kernels/tokens/test_reading.py \
		tests/core/classifiers/test_seed_expansion.py::test_a_positive_that_is_copied_many_times_ranks_where_it_did
	@touch $@
