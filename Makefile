# The commands of a developer. `make demo` and `make test` need Python 3.10 and a C++ compiler; they set up the rest.
#
#   make demo       build, install into .venv, run whole programs on Cuprum and on NumPy, save demo.png
#   make test       build, run all C++ and Python tests
#   make test-elsewhere  the Python tests with their arrays on a device that is not the current one
#   make test-auto  the Python tests with their small arrays on the host's side of `far`
#   make test-streams    20,000 random programs over streams, threads and devices
#   make test-memory     2,000 random programs, every allocation failing in turn; and with spill
#   make test-tsan-python  Python programs of several threads under ThreadSanitizer
#   make bench      the benchmark of every operation; BENCH="--quick --rows sort*" passes options
#   make lint       formatting and static analysis, changing nothing; make format mends the formatting
#   make sanitize   the C++ tests under AddressSanitizer + UndefinedBehaviorSanitizer, and under ThreadSanitizer
#   make docs       the documentation's site, into build/site; a broken link or a warning is an error
#   make stubs      the type stubs, anew from the signatures; make types checks them with mypy
#   make consumer   an outside program built against the installed library by find_package
#   make clean      remove what was built
#
# The CUDA plug-in is built where nvcc and a driver are found; CUDA=ON builds it wherever nvcc is, CUDA=OFF nowhere.

SHELL := /bin/bash
VENV ?= .venv
BUILD := build/release
JOBS ?= $(shell nproc)
CUDA ?= AUTO
PY := $(VENV)/bin/python
export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
export CMAKE_BUILD_PARALLEL_LEVEL := $(JOBS)
export CTEST_PARALLEL_LEVEL := $(JOBS)

# pip drives the build (scikit-build-core), in a folder that is kept, so that the next build is incremental and
# the C++ tests use the very objects that were installed.
PIP_INSTALL = CXX=$$(cat $(VENV)/cxx) SKBUILD_BUILD_DIR=$(BUILD) $(PY) -m pip install -v --disable-pip-version-check \
	--no-build-isolation --no-deps .

.PHONY: demo test build test-cpp test-python test-elsewhere test-auto test-streams test-memory test-tsan-python bench lint format sanitize asan tsan consumer docs stubs types clean

$(VENV)/ready: tools/setup.sh tools/requirements.txt
	VENV=$(VENV) tools/setup.sh

demo: $(VENV)/ready
	SKBUILD_CMAKE_DEFINE="CUPRUM_CUDA=$(CUDA);CUPRUM_SIMD_LEVELS=native" $(PIP_INSTALL)
	$(PY) -m cuprum demo --plot demo.png

build: $(VENV)/ready
	SKBUILD_CMAKE_DEFINE="CUPRUM_TESTS=ON;CUPRUM_CUDA=$(CUDA);CUPRUM_SIMD_LEVELS=" $(PIP_INSTALL)

test: test-cpp test-python

test-cpp: build
	ctest --test-dir $(BUILD) --output-on-failure

test-python: build
	$(PY) -m pytest -n $(JOBS) $(PYTEST)

# The Python tests once more, with their arrays on a device that is not the current one (tests/python/elsewhere.py).
# Those that ask for lines of the program cannot be sent elsewhere: they run with that device as the current one.
ON_FAR := test_profiler.py test_timeline.py test_chunks.py
test-elsewhere: build
	$(PY) -m pytest -n $(JOBS) --arrays-on far tests/python $(PYTEST)
	CUPRUM_DEVICE=far $(PY) -m pytest -n $(JOBS) $(addprefix tests/python/,$(ON_FAR)) $(PYTEST)

# And once more with the device `auto`: arrays up to 256 bytes on the host's side of `far`, larger ones on it.
test-auto: build
	CUPRUM_DEVICE=auto:far CUPRUM_AUTO_LIMIT=256 $(PY) -m pytest -n $(JOBS) tests/python $(PYTEST)

# Random programs over streams, threads and two devices (tests/python/stream_programs.py); STREAMS passes options.
test-streams: build
	$(PY) tests/python/stream_programs.py --count 20000 --jobs $(JOBS) $(STREAMS)

# Allocations that fail, and spill, on `far` (tests/python/fault_programs.py); MEMORY passes options.
test-memory: build
	$(PY) tests/python/fault_programs.py --count 2000 --jobs $(JOBS) $(MEMORY)
	$(PY) tests/python/fault_programs.py --count 2000 --jobs $(JOBS) --spill $(MEMORY)

bench: build
	$(PY) -m cuprum bench $(BENCH)

lint: $(VENV)/ready
	tools/lint.sh

format: $(VENV)/ready
	git ls-files '*.h' '*.cpp' '*.cu' '*.cuh' | xargs clang-format -i
	ruff check --fix -q . ; ruff format .

sanitize: asan tsan

asan: $(VENV)/ready
	CXX=$$(cat $(VENV)/cxx) cmake --preset asan && cmake --build --preset asan && ctest --preset asan

# Only the tests that use several threads: the others cannot race.
tsan: $(VENV)/ready
	CXX=$$(cat $(VENV)/cxx) cmake --preset tsan && cmake --build --preset tsan && ctest --preset tsan -L threads

# Python programs of several threads, over a module that is built with ThreadSanitizer; TSAN passes options to pytest.
test-tsan-python: $(VENV)/ready
	tools/tsan_python.sh $(TSAN)

consumer: $(VENV)/ready
	tools/consumer.sh

docs: build
	NO_MKDOCS_2_WARNING=1 $(PY) -m mkdocs build --strict

stubs: build
	$(PY) tools/make_stubs.py

types: build
	$(PY) tools/check_types.py

clean:
	rm -rf build demo.png
