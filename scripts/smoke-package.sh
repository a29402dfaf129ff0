#!/usr/bin/env bash
# The packed command on this machine's own Node, where it needs to be no more than that: on Linux and on macOS.
#   bash scripts/smoke-package.sh
# Installs it into an empty prefix, asks it a few things, starts the demo (the whole service with its PostgreSQL on a simulated
# internet), checks an address there and stops it. Needs Node 22.18 or newer and curl; fresh-install.sh does far more, on Linux.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
demo_pid=''
cleanup() {
  if [ -n "$demo_pid" ]; then kill -9 "$demo_pid" 2>/dev/null || true; fi
  rm -rf "$work"
}
trap cleanup EXIT
say() { echo "smoke ($(uname -s), Node $(node -v)): $*"; }
fail() { say "FAILED: $*"; [ -f "$work/demo.log" ] && tail -40 "$work/demo.log"; exit 1; }

(cd "$here" && npm run -s pack -- "$work/packed") >"$work/pack.log" 2>&1 || { cat "$work/pack.log"; fail 'npm run pack'; }
mkdir "$work/empty"
cd "$work/empty"
npm install -g --prefix "$work/prefix" --prefer-offline --ignore-scripts "$work"/packed/mxproof-[0-9]*.tgz >"$work/install.log" 2>&1 ||
  { cat "$work/install.log"; fail 'npm install -g'; }
mxproof=$work/prefix/bin/mxproof
"$mxproof" --version | grep -qx "$(node -p 'require(process.argv[1]).version' "$here/package.json")" || fail 'mxproof --version'
"$mxproof" reply '550 5.1.1 User unknown' | grep -qi 'mailbox' || fail 'mxproof reply'
say 'installed, and says what a reply means'

PORT=0 "$mxproof" demo >"$work/demo.log" 2>&1 &
demo_pid=$!
for _ in $(seq 600); do
  grep -q 'Ctrl-C' "$work/demo.log" && break
  kill -0 "$demo_pid" 2>/dev/null || fail 'the demo ended'
  sleep 0.1
done
url=$(grep -o 'http://127.0.0.1:[0-9]*' "$work/demo.log" | head -1)
key=$(grep -o 'mx_live_[A-Za-z0-9_-]*' "$work/demo.log" | head -1)
[ -n "$url" ] && [ -n "$key" ] || fail 'the demo is not ready within a minute'
answer=$(curl -sS -m 30 "$url/v1/verify" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' -d '{"email":"info@gmail.com"}')
case $answer in *'"reason":"rejected_email"'*) ;; *) fail "a check answered $answer" ;; esac
kill -TERM "$demo_pid"
wait "$demo_pid" || fail "SIGTERM ended the demo with status $?"
demo_pid=''
say 'the demo checked an address and ended with SIGTERM: passed'
