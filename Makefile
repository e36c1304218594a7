# The names that people and CI use. Each target says what it does and does only what is out of date.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
BACKEND ?= auto

.PHONY: build test test-all test-gpu bench-gpu bench lint fuzz clean

build: $(VENV)/.ready  ## .venv with opgen, then the library from schemas/ and its Python module
	$(BIN)/opgen build schemas --out generated/aten --backend $(BACKEND) --install -j $(JOBS)

$(VENV)/.ready: pyproject.toml
	@echo "build: making $(VENV) with opgen and what it needs"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[numpy]'
	touch $@

$(VENV)/.test: $(VENV)/.ready
	@echo "test: installing what the tests need"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

$(VENV)/.oracle: $(VENV)/.ready
	@echo "test-all: installing PyTorch, the oracle that operators are compared with"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,oracle]'
	touch $@

test: $(VENV)/.test build  ## the short tests: under 15 minutes from a clean clone
	$(BIN)/python tests/run.py --jobs $(JOBS)

test-all: $(VENV)/.oracle build  ## every test, PyTorch's samples included
	$(BIN)/python tests/run.py --all --jobs $(JOBS)

# The wheel that `make build` left, or the generated tree, which is built first.
GPU_LIBRARY ?= $(or $(firstword $(wildcard dist/*.whl)),generated/aten)
test-gpu:  ## the operators' samples on a GPU; needs no network
	$(PYTHON) tests/gpu.py $(GPU_LIBRARY)

bench-gpu:  ## bandwidths and products on a GPU, beside PyTorch's and the card's limits
	$(PYTHON) tests/gpu.py $(GPU_LIBRARY) --bench

bench: build  ## the budget table: ours, PyTorch's, NumPy's
	$(BIN)/python benchmarks/budgets.py

FUZZ_COUNT ?= 5000000
FUZZ_CALLS ?= 250
# SANITIZE=address,undefined: the operators in a library that is built for it
fuzz: $(VENV)/.test build  ## random schemas and files by the million, operators with wrong arguments; what fails is kept in build/fuzz
	$(BIN)/python tests/cli/fuzz.py --count $(FUZZ_COUNT) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))
	$(BIN)/python tests/ops/fuzz_calls.py --calls $(FUZZ_CALLS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(SANITIZE),--sanitize $(SANITIZE))

$(VENV)/.lint: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[test,lint]'
	touch $@

lint: $(VENV)/.lint  ## ruff and clang-format; nothing is rewritten
	$(BIN)/ruff check cli python tests benchmarks examples
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' ':!tests/golden/expected')
	$(BIN)/python tests/golden/layout.py

clean:  ## all that was built; .venv stays
	rm -rf generated/aten build dist
