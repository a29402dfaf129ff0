#!/usr/bin/env bash
# Holds the running service against its own OpenAPI documents with schemathesis: thousands of requests, within a
# document and outside it, first with a live key, then with a test key; then the operator’s with an admin key.
#   bash scripts/fuzz-openapi.sh [seed]
# Promise: no 5xx, no answer that the document does not describe, nothing valid refused, nothing invalid accepted; the
# same seed sends the same requests. Needs Python 3.10 or newer; its packages go into node_modules/.cache.
# Event streams are left out: they do not end while they are asked for.
set -euo pipefail
cd "$(dirname "$0")/.."
seed=${1:-15}
cases_per_operation=20
service_limit_seconds=180
run_limit_seconds=600

here=$PWD
venv=$here/node_modules/.cache/schemathesis-$(cksum <scripts/schemathesis/requirements.txt | cut -d' ' -f1)
if [ ! -f "$venv/complete" ]; then
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install -q --disable-pip-version-check -r scripts/schemathesis/requirements.txt
  touch "$venv/complete"
fi

work=$(mktemp -d)
service_pids=''
cleanup() {
  local pid
  for pid in $service_pids; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true; done
  rm -rf "$work"
}
trap cleanup EXIT

# What was installed until now took as long as it took.
SECONDS=0
# The whole service on a simulated internet. A check that takes longer than a second is answered 202.
PORT=0 MXPROOF_RATE_REQUESTS=10000000 MXPROOF_RATE_ADDRESSES=100000000 MXPROOF_VERIFY_WAIT_SECONDS=1 \
  node cli/bin/mxproof.mjs demo >"$work/service.log" 2>&1 &
service_pids=$!
until grep -qs 'Ctrl-C' "$work/service.log"; do
  kill -0 "$service_pids" && [ "$SECONDS" -le "$service_limit_seconds" ] || { cat "$work/service.log"; exit 1; }
  sleep 0.1
done
url=$(grep -o 'http://127.0.0.1:[0-9]*' "$work/service.log" | head -1)
live_key=$(grep -o 'mx_live_[A-Za-z0-9_-]*' "$work/service.log" | head -1)

# $1: the document, $2: the key. In a folder that goes: it would keep what failed, and begin with that the next time.
cd "$work"
fuzz() {
  SCHEMATHESIS_HOOKS=$here/scripts/schemathesis/hooks.py timeout "$run_limit_seconds" \
    "$venv/bin/schemathesis" --config-file "$here/scripts/schemathesis/schemathesis.toml" \
    run "$1" --header "Authorization: Bearer $2" \
    --seed "$seed" --max-examples "$cases_per_operation" --continue-on-failure --no-shrink \
    --exclude-path-regex '/(events|listen)$' --request-timeout 30 --warnings off && return
  [ "$?" != 124 ] || echo "not done within $run_limit_seconds seconds"
  return 1
}
test_key=$(curl -sS --fail-with-body "$url/v1/keys" -H "Authorization: Bearer $live_key" --json '{"label":"fuzz","test":true,"manage":true}' |
  sed -n 's/.*"api_key":"\([^"]*\)".*/\1/p')

# A service of its own, without the simulated internet: its doctor finds no network, and none of its sources asks.
export MXPROOF_DATA_DIR=$work/operators MXPROOF_RATE_REQUESTS=10000000 MXPROOF_DNS_SERVERS=127.0.0.1:9 MXPROOF_DNS_SENTINELS=none
PORT=0 node "$here/cli/bin/mxproof.mjs" serve >"$work/operators.log" 2>&1 &
service_pids+=" $!"
SECONDS=0
until grep -qs '"url":"http://127.0.0.1:[0-9]*"' "$work/operators.log"; do
  [ "$SECONDS" -le "$service_limit_seconds" ] || { cat "$work/operators.log"; exit 1; }
  sleep 0.1
done
operators_url=$(grep -o 'http://127.0.0.1:[0-9]*' "$work/operators.log" | head -1)
admin_key=$(node "$here/cli/bin/mxproof.mjs" admin key create --scope write --label fuzz --json |
  grep -o 'mx_admin_[A-Za-z0-9_-]*')

status=0
fuzz "$url/v1/openapi.json" "$live_key" || status=1
fuzz "$url/v1/openapi.json" "$test_key" || status=1
fuzz "$operators_url/admin/v1/openapi.json" "$admin_key" || status=1
# Nothing the service has done meanwhile was wrong in its own eyes.
if grep '"level":[56]0' "$work"/*.log; then status=1; fi
exit "$status"
