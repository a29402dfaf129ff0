#!/usr/bin/env bash
# Tests the Python client as other people get it: packs it twice, installs the wheel, checks its types and runs its tests
# against the service of this checkout.
#   bash scripts/test-python.sh [junit.xml]
# Promise: the packages are the same bytes each time, and what is tested is what they hold. Needs Python 3.10 or newer
# (MXPROOF_PYTHON for another than python3); its packages go into node_modules/.cache.
set -euo pipefail
cd "$(dirname "$0")/.."
report=${1:-}
case "$report" in '' | /*) ;; *) report=$PWD/$report ;; esac
python=${MXPROOF_PYTHON:-python3}
requirements=clients/python/requirements-test.txt

version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')
venv=$PWD/node_modules/.cache/python-client-$version-$(cksum <"$requirements" | cut -d' ' -f1)
if [ ! -f "$venv/complete" ]; then
  rm -rf "$venv"
  "$python" -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check --require-hashes --only-binary :all: -r "$requirements"
  touch "$venv/complete"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for run in first second; do
  MXPROOF_PYTHON=$venv/bin/python node scripts/with-node.mjs node scripts/pack-python.ts "$work/$run" >"$work/$run.log"
  [ "$(wc -l <"$work/$run.log")" = 2 ] || { echo 'no wheel and source distribution were packed'; exit 1; }
done
for path in "$work"/first/*; do cmp "$path" "$work/second/${path##*/}"; done

# Anew each time: the version stays the same while the code changes.
"$venv/bin/pip" install -q --disable-pip-version-check --no-index --no-deps --force-reinstall "$work"/first/mxproof-*.whl
cd clients/python
"$venv/bin/ruff" check -q --no-cache .
"$venv/bin/ruff" format -q --check --no-cache .
"$venv/bin/mypy" --cache-dir "$work/mypy"
PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" -m pytest -p no:cacheprovider ${report:+--junit-xml="$report"}
