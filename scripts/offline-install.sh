#!/usr/bin/env bash
# Installs the bundle of a machine without internet, and uses it, where there is none.
#   bash scripts/offline-install.sh [BUNDLE.tgz]
# Promise: in a network namespace that has only its own loopback where this machine allows one, else by npm's own rules: offline, with an
# empty cache and a registry that does not answer. Needs curl. Ends with status 1 at the first promise that does not hold.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
say() { echo "offline install: $*"; }
fail() { say "FAILED: $*"; [ -f "${log:-}" ] && tail -40 "$log"; exit 1; }

if [ "${1:-}" != --inside ]; then
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  chmod 755 "$work"
  bundle=${1:-}
  if [ -z "$bundle" ]; then
    (cd "$here" && npm run -s pack -- --offline "$work/made") >"$work/pack.log" 2>&1 || { cat "$work/pack.log"; fail "npm run pack -- --offline"; }
    bundle=$(ls "$work"/made/*.tgz)
  fi
  bundle=$(readlink -f "$bundle")
  apart=()
  if command -v ip >/dev/null && unshare -n true 2>/dev/null; then apart=(unshare -n); fi
  "${apart[@]}" bash "$0" --inside "$work" "$bundle" "${#apart[@]}"
  exit
fi

work=$2 bundle=$3
if [ "$4" -gt 0 ]; then
  ip link set lo up
  say "in a network that leads nowhere: $(ip -o link | wc -l) interface, lo"
else
  say "this machine allows no network of its own: npm alone is kept off"
fi
mkdir "$work/home" "$work/tmp" "$work/cache" "$work/empty" "$work/unpacked"
chmod 1777 "$work/tmp"
service_pid='' log=''
trap '[ -n "$service_pid" ] && kill -9 "$service_pid" 2>/dev/null || true' EXIT

# As a new login, in an empty folder, with the path $1.
as_stranger() {
  cd "$work/empty"
  local path=$1
  shift
  exec env -i HOME="$work/home" PATH="$path" LANG=C.UTF-8 PORT=0 TMPDIR="$work/tmp" MXPROOF_SHOW_FIRST_KEY=1 "$@"
}

# $1: its name here; the rest starts it.
demo() {
  local name=$1 since=$SECONDS url key
  shift
  log="$work/$name.log"
  (as_stranger "$@" demo) >"$log" 2>&1 &
  service_pid=$!
  until grep -qs 'Ctrl-C' "$log"; do
    kill -0 "$service_pid" 2>/dev/null || fail "$name: mxproof demo ended"
    [ $((SECONDS - since)) -le 120 ] || fail "$name: mxproof demo is not ready within two minutes"
    sleep 0.1
  done
  url=$(grep -o 'http://127.0.0.1:[0-9]*' "$log" | head -1)
  key=$(grep -o 'mx_live_[A-Za-z0-9_-]*' "$log" | head -1)
  curl -sS --max-time 60 -H "Authorization: Bearer $key" "$url/v1/verify" --json '{"email":"info@gmail.com"}' |
    grep -qF '"reason":"rejected_email"' || fail "$name: mxproof demo does not check"
  kill -TERM "$service_pid"
  wait "$service_pid" || fail "$name: SIGTERM ended mxproof demo with status $?"
  service_pid=''
  say "$name: mxproof demo checks an address, and ends with SIGTERM"
}

npm=(npm install --global --prefix "$work/prefix" --offline --cache "$work/cache" --registry http://127.0.0.1:9 --no-audit --no-fund)
(as_stranger "$PATH" "${npm[@]}" "$bundle") >"$work/install.log" 2>&1 || { cat "$work/install.log"; fail "npm install --offline"; }
demo "installed by npm $(npm --version)" "$work/prefix/bin:$PATH" mxproof
tar -xzf "$bundle" -C "$work/unpacked"
cp -rs /usr/bin "$work/tools"
rm -f "$work"/tools/{node,nodejs,npm,npx}
demo 'unpacked, without npm and Node' "$work/tools" "$work/unpacked/package/mxproof"
say "passed: $(du -m "$bundle" | cut -f1) MB, unpacked $(du -sm "$work/unpacked" | cut -f1) MB"
