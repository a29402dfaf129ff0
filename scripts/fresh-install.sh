#!/usr/bin/env bash
# Installs and uses the packages as published: npm run pack, npm install -g into an empty prefix, then the
# service, the demo and both libraries from there, in folders that hold nothing of this repository.
#   bash scripts/fresh-install.sh [PACKED [INSTALLED.json]]
# With a folder of packages it installs these instead, and writes what npm installed to the file. Needs curl. Ends with status 1 at the first promise that does not hold.
set -euo pipefail
packed=${1:+$(cd "$1" && pwd)}
installed=${2:-}
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
chmod 755 "$work"
service_pid='' log=''
cleanup() {
  [ -n "$service_pid" ] && kill -9 "$service_pid" 2>/dev/null || true
  # What a failed run left behind, found by the folder it works in, never by name.
  for proc in /proc/[0-9]*; do
    case "$(readlink "$proc/cwd" 2>/dev/null)" in "$work"/*) kill -9 "${proc#/proc/}" 2>/dev/null || true ;; esac
  done
  rm -rf "$work"
}
trap cleanup EXIT
say() { echo "fresh install: $*"; }
fail() { say "FAILED: $*"; [ -f "$log" ] && tail -40 "$log"; exit 1; }

project_node=$(cd "$here" && node -e 'import("./cli/bin/project-node.mjs").then((m) => console.log(m.projectNode() ?? ""))')
[ -x "$project_node" ] || fail "npm ci has brought no Node"
machine_path=$PATH
new_path="$(dirname "$project_node"):$PATH"

# Becomes a command of a new login in the folder $1, with the Node of the path $2 as the machine's own.
as_stranger() {
  local folder=$work/$1 path=$2
  shift 2
  local env=(env -i HOME="$work/home" PATH="$work/prefix/bin:$path" LANG=C.UTF-8 PORT=0 TMPDIR="$work/tmp"
    MXPROOF_SHOW_FIRST_KEY=1 npm_config_cache="${npm_config_cache:-$HOME/.npm}" npm_config_update_notifier=false)
  for name in npm_config_registry NPM_CONFIG_REGISTRY NODE_EXTRA_CA_CERTS HTTPS_PROXY https_proxy; do
    if [ -n "${!name:-}" ]; then env+=("$name=${!name}"); fi
  done
  cd "$folder"
  exec "${env[@]}" "$@"
}
mkdir "$work/home" "$work/tmp" "$work/empty" "$work/project" "$work/packed"
chmod 1777 "$work/tmp"
[ -f "$HOME/.npmrc" ] && cp "$HOME/.npmrc" "$work/home/.npmrc"

if [ -n "$packed" ]; then
  cp "$packed"/*.tgz "$work/packed/"
else
  (cd "$here" && npm run -s pack -- "$work/packed") >"$work/pack.log" 2>&1 || { cat "$work/pack.log"; fail "npm run pack"; }
fi
command=$(ls "$work"/packed/mxproof-[0-9]*.tgz)
libraries=$(ls "$work"/packed/mxproof-[a-z]*.tgz)
(as_stranger empty "$new_path" npm install -g --prefix "$work/prefix" --prefer-offline --ignore-scripts "$command") \
  >"$work/install.log" 2>&1 || { cat "$work/install.log"; fail "npm install -g"; }
version=$(as_stranger empty "$new_path" mxproof --version)
[ "$version" = "$(node -p 'require(process.argv[1]).version' "$here/cli/package.json")" ] || fail "mxproof --version says $version"
[ -z "$installed" ] || (as_stranger empty "$new_path" npm ls -g --prefix "$work/prefix" --all --json) >"$installed" || fail "npm ls"
cd /
say "mxproof $version installed, $(du -sm "$work/prefix" | cut -f1) MB in all"

# $1: what to run; $2: the line to wait for.
start() {
  log="$work/$1.log"
  (as_stranger empty "$new_path" mxproof "$1") >"$log" 2>&1 &
  service_pid=$!
  local since=$SECONDS
  until grep -qs "$2" "$log"; do
    kill -0 "$service_pid" 2>/dev/null || fail "mxproof $1 ended"
    [ $((SECONDS - since)) -le 40 ] || fail "mxproof $1 is not ready within 40 s"
    sleep 0.05
  done
  url=$(grep -o 'http://127.0.0.1:[0-9]*' "$log" | head -1)
  key=$(grep -o 'mx_live_[A-Za-z0-9_-]*' "$log" | head -1)
}
stop() {
  local code=0
  kill -TERM "$service_pid"
  wait "$service_pid" || code=$?
  service_pid=''
  [ "$code" = 0 ] || fail "SIGTERM ended mxproof $1 with status $code"
  for proc in /proc/[0-9]*; do
    case "$(readlink "$proc/cwd" 2>/dev/null)" in "$work"/*) fail "mxproof $1 left a process: $proc" ;; esac
  done
}
# $1: expected status and a part of the body; the rest is curl's.
expect() {
  local status part=$2
  status=$(curl -sS -o "$work/body" -w '%{http_code}' -H "Authorization: Bearer $key" "${@:3}") || fail "curl ${*:3}"
  [ "$status" = "$1" ] && grep -qF -- "$part" "$work/body" || fail "${*:3} answered $status: $(head -c 300 "$work/body")"
}

start serve 'Docs:'
tr '\0' '\n' <"/proc/$service_pid/cmdline" | grep -qx -- --max-semi-space-size=16 || fail "the service runs without its memory settings"
expect 200 '"credits":1000' "$url/v1/account"
expect 200 '"reason":"invalid_email"' "$url/v1/verify" --json '{"email":"not an address"}'
# Large enough to be parsed in a thread of its own.
node -p 'JSON.stringify({ emails: Array.from({ length: 900 }, (_, n) => `${"x".repeat(300)} ${n}`) })' >"$work/list.json"
expect 201 '"total":900' "$url/v1/lists" --json "@$work/list.json"
expect 200 'id="api-reference"' "$url/docs"
expect 200 'createApiReference' "$url$(grep -o '/docs/scalar-[0-9a-f]*.js' "$work/body")"
expect 200 'POST /v1/verify' "$url/llms.txt"
# Brought built; read and compressed beside the start.
since=$SECONDS
until curl -s "$url/" | grep -q '/assets/index-'; do
  [ $((SECONDS - since)) -le 20 ] || fail "the console is not there: $(curl -s "$url/")"
  sleep 0.1
done
expect 200 'import' "$url$(curl -s "$url/" | grep -o '/assets/index-[A-Za-z0-9_-]*\.js')"
[ "$(ls "$work/empty")" = data ] || fail "serve left more than its data: $(ls "$work/empty")"
stop serve
say "mxproof serve works in an empty folder, and ends with SIGTERM"

start demo 'Ctrl-C'
expect 200 '"reason":"rejected_email"' "$url/v1/verify" --json '{"email":"info@gmail.com"}'
stop demo
say "mxproof demo checks an address on its simulated internet"

old_path=$(dirname "$(PATH=$machine_path command -v node)"):$PATH
if [ "$(PATH=$old_path node -p 'process.versions.node.split(".")[0] < 22')" = true ]; then
  status=0
  (as_stranger empty "$old_path" mxproof serve) >"$work/old.log" 2>&1 || status=$?
  [ "$status" = 1 ] && [ "$(wc -l <"$work/old.log")" = 1 ] && grep -q 'needs Node 22.18 or newer' "$work/old.log" ||
    fail "an old Node ended with $status: $(cat "$work/old.log")"
  say "an old Node is told: $(cat "$work/old.log")"
fi

echo '{"name":"stranger","type":"module"}' >"$work/project/package.json"
(as_stranger project "$new_path" npm install --prefer-offline --ignore-scripts $libraries) >"$work/install.log" 2>&1 ||
  { cat "$work/install.log"; fail "npm install $libraries"; }
for package in "$work"/project/node_modules/@mxproof/*; do
  name=@mxproof/${package##*/}
  [ -z "$(node -p 'Object.keys(require(process.argv[1]).exports ?? {}).join()' "$package/package.json")" ] && continue
  (as_stranger project "$new_path" node -e "import('$name').then((m) => { if (Object.keys(m).length === 0) throw new Error('nothing is exported') })") ||
    fail "$name cannot be imported"
  say "$name can be imported"
done
# On the machine's own Node, as a host would start it.
cat >"$work/project/host.mjs" <<'EOF'
import { spawn } from 'node:child_process';
const server = spawn('node_modules/.bin/mxproof-mcp', { stdio: ['pipe', 'pipe', 'inherit'] });
let said = '';
server.stdout.on('data', (piece) => {
  said += piece;
  if (said.includes('"check_addresses"')) server.stdin.end();
});
server.on('exit', (code) => process.exit(said.includes('"check_addresses"') ? code : 1));
const send = (message) => server.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const clientInfo = { name: 'fresh install', version: '1' };
send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo } });
send({ method: 'notifications/initialized' });
send({ id: 2, method: 'tools/list', params: {} });
EOF
(as_stranger project "$old_path" timeout 60 env MXPROOF_API_KEY=mx_test_x node host.mjs) || fail "mxproof-mcp lists no tools"
say "mxproof-mcp lists its tools on $(PATH=$old_path node --version)"
say passed
