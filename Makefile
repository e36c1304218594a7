# The names that people and CI use. Each target says what it does and does only what is out of date.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
JOBS ?= 2
BACKEND ?= auto

# What is installed is what requirements/*.txt name, by version and hash; opgen itself is built with what is there then.
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
INSTALL := $(PIP) --require-hashes --only-binary :all:

.PHONY: build wheel test test-share test-all installed test-gpu test-cuda-host test-cuda-host-all bench-gpu bench lint tidy left-out fuzz sanitize programs inject kill mutate mutate-cpp mutate-cuda lock docs clean help

##@ Build and test
BUILD := $(BIN)/opgen build schemas --out generated/aten --install -j $(JOBS)
build: $(VENV)/.ready  ## .venv with opgen, then the library from schemas/ and its Python module, for this machine
	$(BUILD) --backend $(BACKEND)

# CUDA where nvcc is, whether there is a GPU or not.
WHEEL_BACKEND ?= $(if $(or $(CUDACXX),$(shell command -v nvcc),$(wildcard /usr/local/cuda/bin/nvcc)),cuda,cpu)
# all: for every GPU; the default, one architecture with PTX for later ones, compiles in a seventh of the time.
CUDA_ARCHITECTURES ?= 75
wheel: $(VENV)/.ready  ## the same for every machine: all copies of the kernels; CUDA_ARCHITECTURES=all for every GPU
	$(BUILD) --backend $(WHEEL_BACKEND) --cpu-capabilities all --cuda-architectures "$(CUDA_ARCHITECTURES)"

$(VENV)/.ready: pyproject.toml requirements/build.txt
	@echo "build: making $(VENV) with opgen and what it needs"
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(INSTALL) -r requirements/build.txt
	$(PIP) --no-deps --no-build-isolation -e .
	touch $@

$(VENV)/.test: $(VENV)/.ready requirements/test.txt
	@echo "test: installing what the tests need"
	$(INSTALL) -r requirements/test.txt
	touch $@

# PyTorch's build for CPUs where pip's indexes have it, or else PyPI's, which is for CUDA.
$(VENV)/.oracle: $(VENV)/.test requirements/oracle.txt requirements/torch-cpu.txt requirements/torch.txt
	@echo "$(VENV): installing PyTorch, the oracle that operators are compared with"
	$(INSTALL) -r requirements/oracle.txt
	$(INSTALL) -qq --no-deps -r requirements/torch-cpu.txt || \
	  { echo "$(VENV): there is no PyTorch for CPUs here; installing the one for CUDA"; $(INSTALL) -r requirements/torch.txt; }
	touch $@

test: $(VENV)/.test build  ## the short tests: under 15 minutes from a clean clone
	$(BIN)/python tests/tools/run.py --jobs $(JOBS)

MINUTES ?= 20
test-share: $(VENV)/.oracle build  ## a share of the other tests, which rotates with the commit; after MINUTES no test begins
	$(BIN)/python tests/tools/run.py --share --minutes $(MINUTES) --jobs $(JOBS)

# CUDA code runs on an emulated device; compiling with nvcc and for other processors takes as long as all else.
TEST_LIBRARY ?= build
test-all: $(VENV)/.oracle  ## every test but campaigns; goes on where it was stopped; PART=emulated, builds, pytorch or python; TEST_LIBRARY=wheel tests what `make wheel` makes
	$(MAKE) --no-print-directory $(TEST_LIBRARY)
	$(BIN)/python tests/gate/whole.py $(if $(PART),--part $(PART)) --jobs $(JOBS)

##@ Check and document
$(VENV)/.lint: $(VENV)/.ready requirements/lint.txt
	$(INSTALL) -r requirements/lint.txt
	touch $@

# The package aten is typed with the stubs that are generated beside its files.
lint: $(VENV)/.lint  ## ruff, mypy and clang-format; nothing is rewritten
	$(BIN)/ruff check cli python tests tools benchmarks examples docs
	$(BIN)/ruff format --check --quiet cli python tests tools benchmarks examples docs
	$(BIN)/mypy
	$(BIN)/opgen generate schemas --out build/lint/aten
	MYPYPATH=build/lint/aten/python $(BIN)/mypy -p aten
	$(BIN)/clang-format --dry-run --Werror $$(git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' ':!tests/golden/expected')
	$(BIN)/python tests/golden/layout.py

tidy: $(VENV)/.lint build  ## clang-tidy: C++ as CONTRIBUTING.md says; ten minutes; `python -m tools.tidy ops/sorting` checks a folder
	$(BIN)/python -m tools.tidy --jobs $(JOBS)

$(VENV)/.docs: $(VENV)/.ready requirements/docs.txt
	@echo "docs: installing what the site is built with"
	$(INSTALL) -r requirements/docs.txt
	touch $@

docs: $(VENV)/.docs  ## the documentation site in build/docs/html; a broken link is an error
	$(BIN)/sphinx-build --quiet --fail-on-warning --keep-going -c docs -d build/docs/doctrees . build/docs/html
	@echo "docs: build/docs/html/index.html"

# Each lock keeps to the versions of the one it builds on, so that one .venv can hold them all.
LOCK := $(BIN)/uv pip compile pyproject.toml --quiet --universal --python-version 3.10 --generate-hashes --no-annotate \
  --custom-compile-command 'make lock' $(if $(UPGRADE),--upgrade)
$(VENV)/.lock: $(VENV)/.ready requirements/lock.txt
	$(INSTALL) -r requirements/lock.txt
	touch $@

# UPGRADE=1: with the newest releases that pyproject.toml allows
lock: $(VENV)/.lock  ## requirements/*.txt from pyproject.toml; what is locked and still fits stays
	$(LOCK) requirements/build-system.in --extra build --extra numpy --extra linalg -o requirements/build.txt
	$(LOCK) --extra lock -c requirements/build.txt -o requirements/lock.txt
	$(LOCK) --extra numpy --extra test -c requirements/build.txt -o requirements/test.txt
	$(LOCK) --extra numpy --extra test --extra lint -c requirements/test.txt -o requirements/lint.txt
	$(LOCK) --extra numpy --extra test --extra oracle -c requirements/test.txt -o requirements/torch.txt
	$(LOCK) --extra docs -c requirements/lint.txt -c requirements/torch.txt -o requirements/docs.txt
	$(LOCK) --extra numpy --extra test --extra oracle -c requirements/torch.txt --excludes requirements/cuda.in \
	  --no-emit-package torch -o requirements/oracle.txt

##@ GPU
# The wheel that `make build` left, or the generated tree, which is built first.
GPU_LIBRARY ?= $(or $(firstword $(wildcard dist/*.whl)),generated/aten)
test-gpu:  ## the operators' samples on a GPU; needs no network
	$(PYTHON) tests/tools/gpu.py $(GPU_LIBRARY)

CUDA_HOST := $(BIN)/python tests/cuda_host/suite.py --jobs $(JOBS)
test-cuda-host: $(VENV)/.test build  ## CUDA code on an emulated device, with every access checked; needs no GPU and no nvcc
	$(CUDA_HOST)

test-cuda-host-all: $(VENV)/.oracle build  ## the same with every dtype, in three orders of threads, with lazy streams, on a second device: hours
	$(CUDA_HOST) --all

bench-gpu:  ## bandwidths and products on a GPU, beside PyTorch's and the card's limits
	$(PYTHON) tests/tools/gpu.py $(GPU_LIBRARY) --bench

##@ Measure
bench: build  ## the budget table: ours, PyTorch's, NumPy's
	$(BIN)/python benchmarks/budgets.py

##@ Other
installed: $(VENV)/.lint $(VENV)/.docs $(VENV)/.oracle  ## all that the other targets take from the network

clean:  ## all that was built; .venv stays
	rm -rf generated/aten build dist

help:  ## this list
	@awk 'BEGIN { FS = ":.*  ## " } \
	  /^##@ / { printf "\n%s\n", substr($$0, 5) } \
	  /^[a-z][a-z-]*:.*  ## / { printf "  %-18s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

##@ Campaigns
# Campaigns: one that was killed goes on where it was; SEED=S begins or names one.
FUZZ_COUNT ?= 5000000
FUZZ_CALLS ?= 250
FUZZ_ARCHIVES ?= 10000
FUZZ_CAPSULES ?= 10000
# SANITIZE=address,undefined: the operators in a library that is built for it
fuzz: $(VENV)/.test build  ## random schemas and files by the million, damaged archives, forged capsules, operators with wrong arguments; what fails is kept in build/fuzz
	$(BIN)/python tests/cli/parse/fuzz.py --count $(FUZZ_COUNT) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))
	$(BIN)/python tests/export/fuzz_archives.py --count $(FUZZ_ARCHIVES) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))
	$(BIN)/python tests/python/dlpack_fuzz.py --count $(FUZZ_CAPSULES) $(if $(SEED),--seed $(SEED))
	$(BIN)/python tests/ops/wrong_arguments/fuzz_calls.py --calls $(FUZZ_CALLS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) $(if $(SANITIZE),--sanitize $(SANITIZE))

SANITIZE_CALLS ?= 100
sanitize: $(VENV)/.test build  ## the C++ tests with the thread, address and undefined sanitizers, then operators with wrong arguments in a library built for the last two
	$(BIN)/python tests/tools/sanitizers.py --jobs $(JOBS)
	$(BIN)/python tests/ops/wrong_arguments/fuzz_calls.py --calls $(SANITIZE_CALLS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED)) --sanitize address,undefined

left-out: $(VENV)/.oracle build  ## the tests that `make test-all` leaves out, mostly samples of further dtypes: an hour or more
	$(BIN)/python tests/tools/left_out.py --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

PROGRAMS ?= 20000
programs: $(VENV)/.oracle build  ## random programs on this library and on PyTorch, compared after each step
	$(BIN)/python -m tools.programs.programs --count $(PROGRAMS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

INJECTIONS ?= 10000
inject: $(VENV)/.test build  ## text that would end what it stands in, in every field and option; what is generated is compiled
	$(BIN)/python tests/cli/generate/inject.py --count $(INJECTIONS) --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

KILLS ?= 200
kill: $(VENV)/.test  ## `opgen generate` and `opgen build`, killed at random moments
	$(BIN)/python tests/cli/building/kill.py --count $(KILLS) $(if $(SEED),--seed $(SEED))

MUTANTS ?= 300
MUTATE = --seed $(or $(SEED),1) $(if $(PACKAGE),--package $(PACKAGE))
mutate: $(VENV)/.test  ## single random changes of cli/opgen: do the tests that run them notice? it goes on where it was stopped
	nice -n 19 $(BIN)/python -m tools.mutation.mutate --count $(MUTANTS) --jobs $(JOBS) $(MUTATE)

CPP_MUTANTS ?= 20
mutate-cpp: $(VENV)/.test build  ## the same of the runtime and the kernels: minutes for each, most of them the compiler's
	nice -n 19 $(BIN)/python -m tools.mutation.mutate_cpp --count $(CPP_MUTANTS) $(MUTATE)

CUDA_MUTANTS ?= 0
mutate-cuda: $(VENV)/.test build  ## each barrier of CUDA code dropped in turn: does the emulated device report it? CUDA_MUTANTS=N: only N of them
	nice -n 19 $(BIN)/python tests/cuda_host/mutants.py --count $(CUDA_MUTANTS) --jobs $(JOBS)
