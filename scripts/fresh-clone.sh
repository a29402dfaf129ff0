#!/usr/bin/env bash
# Runs a newcomer's first steps: a clone, npm ci, npm start, the printed curl, every way to stop and to be
# killed. As root below a folder of mode 700, and as an ordinary user with spaces in the path.
#   bash scripts/fresh-clone.sh [root|user]      without a word: what this user can do
# Needs curl. Ends with status 1 at the first promise that does not hold.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
chmod 755 "$work"
npm_pid=''
cleanup() {
  [ -n "$npm_pid" ] && kill -9 "$npm_pid" 2>/dev/null || true
  # What a failed run left behind, found by the folder it works in, never by name.
  for proc in /proc/[0-9]*; do
    case "$(readlink "$proc/cwd" 2>/dev/null)" in "$work"/*) kill -9 "${proc#/proc/}" 2>/dev/null || true ;; esac
  done
  if [ -f "$work/postgres-home" ]; then rm -rf "$(cat "$work/postgres-home")"; fi
  rm -rf "$work"
}
trap cleanup EXIT
say() { echo "fresh clone ($case_name): $*"; }
fail() { say "FAILED: $*"; [ -f "$log" ] && tail -40 "$log"; exit 1; }

# Becomes a command of the case's user, in the clone, with the environment of a new login.
exec_as_user() {
  local env=(env -i HOME="$home" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8
    npm_config_cache="$home/.npm" npm_config_update_notifier=false PORT="$port" MXPROOF_SHOW_FIRST_KEY=1)
  # The machine's own registry settings, which a new login there would have too.
  for name in npm_config_registry NPM_CONFIG_REGISTRY NODE_EXTRA_CA_CERTS HTTPS_PROXY https_proxy; do
    if [ -n "${!name:-}" ]; then env+=("$name=${!name}"); fi
  done
  cd "$clone"
  if [ "$demote" = yes ]; then
    exec setpriv --reuid=nobody --regid=nogroup --clear-groups "${env[@]}" "$@"
  fi
  exec "${env[@]}" "$@"
}
as_user() { (exec_as_user "$@"); }

free_port() { node -e 'const s=require("net").createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'; }

start() {
  log="$work/$case_name-$1.log"
  # The background process becomes npm itself: signals are sent to npm alone.
  (exec_as_user npm start) >"$log" 2>&1 &
  npm_pid=$!
}

# $1: seconds promised on a machine with nothing else to do; a busy one gets four times as many.
wait_ready() {
  local since=${EPOCHREALTIME/./} took=0
  until curl -sf -o /dev/null "http://127.0.0.1:$port/readyz"; do
    kill -0 "$npm_pid" 2>/dev/null || fail "npm start ended"
    took=$(((${EPOCHREALTIME/./} - since) / 1000))
    [ "$took" -le $(($1 * 4000)) ] || fail "not ready within $(($1 * 4)) s"
    sleep 0.05
  done
  took=$(((${EPOCHREALTIME/./} - since) / 1000))
  say "ready after $took ms ($1 s promised)"
}

# $1: signal. npm must be gone, with status 0, within 10 s, and with it everything it started.
stop_with() {
  local since=$SECONDS code=0
  kill -"$1" "$npm_pid"
  wait "$npm_pid" || code=$?
  [ $((SECONDS - since)) -le 10 ] || fail "SIG$1 took longer than 10 s"
  [ "$code" = 0 ] || fail "SIG$1 ended with status $code"
  npm_pid=''
  [ -z "$(processes)" ] || fail "SIG$1 left processes: $(processes)"
}

# Process numbers of what works in the clone or on its database.
processes() {
  local proc cwd
  for proc in /proc/[0-9]*; do
    cwd=$(readlink "$proc/cwd" 2>/dev/null) || continue
    case "$cwd" in "$clone" | "$clone"/* | "$database"/*) echo "${proc#/proc/}" ;; esac
  done
}
service_pid() { node -p 'JSON.parse(require("fs").readFileSync(process.argv[1])).pid' "$(ls -d "$clone"/data/service.lock/[0-9]* | sort -V | tail -1)"; }
postmaster_pid() { head -1 "$database/postgres/postmaster.pid"; }

# Root may look into another user's service, running or not, and leaves nothing behind that this user trips over.
root_command() {
  [ "$demote" = yes ] || return 0
  (cd / && node "$clone/cli/bin/mxproof.mjs" account list >"$work/root.out" 2>&1) || fail "root's account list: $(cat "$work/root.out")"
  grep -q beside "$work/root.out" || fail "root does not see the account"
}

run_case() {
  case_name=$1 clone=$2 home=$3 demote=$4 ci_options=$5
  port=$(free_port) log='' database=/nonexistent
  git clone -q "$here" "$clone"
  if [ "$demote" = yes ]; then chown -R nobody:nogroup "$clone" "$home"; fi

  as_user npm ci $ci_options >"$work/ci.log" 2>&1 || { cat "$work/ci.log"; fail "npm ci"; }
  start first
  wait_ready 10
  database="$clone/data"
  if [ -f "$clone/data/postgres-is-in" ]; then
    database=$(cat "$clone/data/postgres-is-in")
    echo "$database" >"$work/postgres-home"
    grep -q "$database" "$log" || fail "the log does not say where the database is"
    say "the database is in $database"
  fi
  until grep -q 'curl ' "$log"; do sleep 0.1; done
  local line
  line=$(grep -o 'curl .*' "$log" | head -1)
  bash -c "$line" >"$work/curl.out" 2>/dev/null || fail "the printed curl: $line"
  say "the printed curl answers $(head -c 120 "$work/curl.out")"

  # Built beside the API, which answered meanwhile.
  local since=$SECONDS
  until curl -s "http://127.0.0.1:$port/" | grep -q '/assets/index-'; do
    [ $((SECONDS - since)) -le 60 ] || fail "the console is not there: $(curl -s "http://127.0.0.1:$port/")"
    sleep 0.1
  done
  grep -q 'console built' "$log" || fail "the log does not say that the console was built"
  say "the console is there after $((SECONDS - since)) s more"

  local second=0
  as_user npx mxproof serve >"$work/second.log" 2>&1 || second=$?
  [ "$second" = 1 ] || fail "a second start ended with $second"
  grep -q 'already running' "$work/second.log" || fail "a second start said: $(cat "$work/second.log")"
  as_user npx mxproof account create --name beside --credits 5 --json >"$work/account.json" || fail "account create beside the service"
  root_command
  stop_with TERM
  say "SIGTERM ends it all with status 0"
  as_user npx mxproof account list >"$work/accounts" || fail "account list without a service"
  grep -q beside "$work/accounts" || fail "the account is gone"
  root_command
  [ -z "$(processes)" ] || fail "account list left processes"

  start again
  wait_ready 3
  grep -q 'mx_live_' "$log" && fail "a second start prints a key"
  kill -9 "$(postmaster_pid)"
  sleep 0.5
  wait_ready 15
  say "PostgreSQL killed: the running service came back"
  kill -9 "$(service_pid)"
  wait "$npm_pid" || true
  npm_pid=''
  start orphan
  wait_ready 10
  say "service killed: the next start found its PostgreSQL"
  kill -9 "$(service_pid)" "$(postmaster_pid)"
  wait "$npm_pid" || true
  npm_pid=''
  start both
  wait_ready 10
  say "both killed: the next start recovered"
  stop_with INT
  say "passed"
}

what=${1:-all}
if [ "$(id -u)" = 0 ]; then
  if [ "$what" != user ]; then
    mkdir -m 700 "$work/closed"
    run_case root "$work/closed/mxproof" "$work/closed" no ''
  fi
  if [ "$what" != root ]; then
    mkdir "$work/home"
    run_case user "$work/home/my mxproof" "$work/home" yes --ignore-scripts
  fi
else
  mkdir "$work/home"
  run_case user "$work/home/my mxproof" "$work/home" no --ignore-scripts
fi
