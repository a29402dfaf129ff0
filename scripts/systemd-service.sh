#!/usr/bin/env bash
# Runs the service under systemd itself, as its units have it: packs and installs the command, boots systemd as process 1 of
# namespaces of its own (processes, mounts, network, cgroups; changes to files stay in memory), and there installs the service,
# checks a list on a small internet, stops, kills, restarts and uninstalls it.
#   bash scripts/systemd-service.sh [PREFIX]
# PREFIX: where "npm install -g --prefix" has put the command already; without it, it is packed and installed first.
# Needs root, systemd, curl and a kernel with overlayfs and cgroup v2. Ends with status 1 at the first promise that does not hold.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
work=$(mktemp -d)
chmod 755 "$work"
boot_pid='' world_pid=''
cleanup() {
  [ -z "$world_pid" ] || kill "$world_pid" 2>/dev/null || true
  # With process 1 of the namespace end all of its processes.
  [ -z "$boot_pid" ] || kill -9 "$boot_pid" 2>/dev/null || true
  [ -z "$boot_pid" ] || wait "$boot_pid" 2>/dev/null || true
  for cgroup in "${cgroups[@]}"; do rm_cgroup "$cgroup"; done
  rm -rf "$work"
}
# Once the last of its processes is gone, a moment after process 1.
rm_cgroup() {
  for _ in $(seq 50); do
    find "$1" -depth -type d -exec rmdir {} + 2>/dev/null || true
    [ -d "$1" ] || return 0
    sleep 0.1
  done
}
cgroups=()
trap cleanup EXIT
say() { echo "systemd: $*"; }
fail() {
  say "FAILED: $*"
  [ -z "$boot_pid" ] || inside journalctl --no-pager -n 200 -u 'mxproof*' | grep -v 'request completed' || true
  exit 1
}
[ "$(id -u)" = 0 ] || fail "needs root"
systemd=/lib/systemd/systemd
[ -x "$systemd" ] || fail "needs Debian's package systemd"

project_node=$(cd "$here" && node -e 'import("./cli/bin/project-node.mjs").then((m) => console.log(m.projectNode() ?? ""))')
prefix=${1:-}
if [ -z "$prefix" ]; then
  prefix=$work/prefix
  (cd "$here" && npm run -s pack -- "$work/packed") >"$work/pack.log" 2>&1 || { cat "$work/pack.log"; fail "npm run pack"; }
  PATH="$(dirname "$project_node"):$PATH" npm install -g --prefix "$prefix" --prefer-offline --ignore-scripts \
    "$work"/packed/mxproof-[0-9]*.tgz >"$work/install.log" 2>&1 || { cat "$work/install.log"; fail "npm install -g"; }
fi
mkdir "$work/machine"
# With all that a unit must escape.
odd='usr/local/lib/m x %n $HOME ${PATH}'

# Process 1 and all below it get a cgroup of their own, so that systemd manages nothing of this machine.
mkdir_cgroup() {
  local cgroup=$1/mxproof-systemd-$$
  mkdir "$cgroup"
  cgroups+=("$cgroup")
}
while read -r _ at _; do mkdir_cgroup "$at"; done < <(grep -E ' cgroup2 ' /proc/mounts | head -1)
while read -r _ at _; do mkdir_cgroup "$at"; done < <(grep -E ' cgroup .*name=systemd' /proc/mounts | head -1)
[ "${#cgroups[@]}" -gt 0 ] || fail "needs cgroup v2"

boot='
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$1/machine"
cd "$1/machine"
mkdir upper work root
mount -t overlay overlay -o "lowerdir=/,upperdir=$PWD/upper,workdir=$PWD/work" root
cd root
# Nothing that this machine would start, and nothing of MXProof that it may have.
rm -rf lib/systemd/system/*.wants etc/systemd/system/*.wants lib/systemd/system-generators/* usr/share/dbus-1/system-services/*
rm -rf etc/systemd/system/mxproof* etc/mxproof var/lib/mxproof
printf "[Unit]\nWants=systemd-journald.service\n" >etc/systemd/system/booted.target
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount --rbind /dev dev
mount -t tmpfs -o mode=1777 tmpfs dev/shm
# As npm install -g leaves it for all users.
mkdir -p "$4" opt/before
mount --bind "$3" "$4"
mount -o remount,bind,ro "$4"
cp "$2" usr/local/bin/node
ln -sf "/$4/bin/mxproof" usr/local/bin/mxproof
pivot_root . opt/before
cd /
umount -l /opt/before
ip link set lo up
export container=mxproof-test
exec '"$systemd"' --system --unit=booted.target --log-target=console --show-status=no
'
(
  for cgroup in "${cgroups[@]}"; do echo "$BASHPID" >"$cgroup/cgroup.procs"; done
  exec unshare --mount --pid --ipc --uts --net --cgroup --fork --kill-child -- bash -c "$boot" boot "$work" "$project_node" "$prefix" "$odd"
) >"$work/boot.log" 2>&1 &
boot_pid=$!
inside() {
  local first
  first=$(pgrep -P "$boot_pid") || return 1
  nsenter -t "$first" -m -p -i -u -n -C env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"
}
wait_for() {
  local since=$SECONDS what=$1
  shift
  until "$@" >/dev/null 2>&1; do
    [ $((SECONDS - since)) -le 60 ] || fail "$what within 60 s"
    sleep 0.2
  done
}
wait_for "systemd runs" inside systemctl is-active booted.target
say "$(inside systemctl --version | head -1) runs as process 1"

first=$(pgrep -P "$boot_pid")
# A small internet on the loopback of that machine.
(cd "$here" && exec nsenter -t "$first" -n "$project_node" --input-type=module -e '
  import { startWorld } from "./world/src/index.ts";
  const names = Array.from({ length: 20 }, (_, n) => `shop${n}.example`);
  const domains = Object.fromEntries(names.map((name) => [name, { host: {}, mailboxes: { share: 0.5 } }]));
  const world = await startWorld({ domains });
  console.log(`MXPROOF_DNS_SERVERS=${world.dnsServer}\nMXPROOF_SMTP_PORT=${world.smtpPort}`);
  setInterval(() => {}, 60_000);
') >"$work/internet" 2>"$work/world.log" &
world_pid=$!
wait_for "the small internet is up" grep -q SMTP_PORT "$work/internet"

run() { inside mxproof service run "$@"; }
settings() { inside tee /etc/mxproof/environment >/dev/null; }
is_healthy() { run healthcheck; }
shown() { inside systemctl show -P "$2" "$1"; }
# Checks 100 addresses; the key is made by a command that runs as the service does.
check_list() {
  local key list
  key=$(run key create 1 --json | grep -o 'mx_live_[A-Za-z0-9_-]*')
  node -p "JSON.stringify({ emails: Array.from({ length: 100 }, (_, n) => \`$1\${n}@shop\${n % 20}.example\`) })" >"$work/list.json"
  ask() { inside curl -sS -H "Authorization: Bearer $key" "$@"; }
  list=$(ask http://127.0.0.1:8080/v1/lists --json @- <"$work/list.json" | grep -oP '"id":\K\d+')
  is_done() { ask "http://127.0.0.1:8080/v1/lists/$list" | grep -q '"status":"done"'; }
  wait_for "the list is done" is_done
  ask "http://127.0.0.1:8080/v1/lists/$list" | grep -qP '"unknown":0\b' || fail "$(ask "http://127.0.0.1:8080/v1/lists/$list")"
}
has_no_process() { ! inside pgrep -u mxproof; }

# README's commands, pasted at once: the last one waits until the first start has made the database.
printf '#!/bin/sh\nexec "$@"\n' | inside tee /usr/local/bin/sudo >/dev/null
inside chmod +x /usr/local/bin/sudo
inside bash -ec "$(grep '^sudo mxproof ' "$here/README.md")" >"$work/pasted" 2>&1 || fail "README's commands: $(cat "$work/pasted")"
grep -q '^http://127.0.0.1:8080/sign-in/' "$work/pasted" || fail "no sign-in link: $(cat "$work/pasted")"
inside mxproof service uninstall >/dev/null
inside rm -rf /var/lib/mxproof /etc/mxproof
say "README's commands end with a sign-in link"

inside mxproof service install --no-start | sed 's/^/  | /'
[ "$(inside stat -c '%a %U' /etc/mxproof/environment /var/lib/mxproof | xargs)" = '600 root 700 mxproof' ] || fail "modes of settings and folder"
{ cat "$work/internet"; printf '# a comment\nMXPROOF_ALLOW_PRIVATE_TARGETS=1\nMXPROOF_HELO_NAME="probe.example.com"\n'; } | settings
inside systemctl start mxproof
# As pasted, without a pause: the first start makes its store meanwhile.
run account link 1 >"$work/link" 2>&1 && grep -q '^http.*/sign-in/' "$work/link" || fail "a link right after the start: $(cat "$work/link")"
wait_for "the service is healthy" is_healthy
check_list first
say "a list of 100 addresses is done: Node and the embedded PostgreSQL run in the sandbox"

main=$(shown mxproof MainPID)
for pid in "$main" "$(inside head -1 /var/lib/mxproof/postgres/postmaster.pid)"; do
  inside grep -qP '^Seccomp:\t2' "/proc/$pid/status" && inside grep -qP '^NoNewPrivs:\t1' "/proc/$pid/status" &&
    inside grep -qP '^CapBnd:\t0+$' "/proc/$pid/status" || fail "process $pid is not confined"
done
for place in /usr/local /etc /var/log; do
  ! inside nsenter -t "$main" -m touch "$place/written" 2>/dev/null || fail "$place can be written to"
done
say "both are confined: seccomp, no privileges to gain, no capabilities, a read-only system"

inside mxproof service install >"$work/second"
grep -vE '^(unchanged|kept) ' "$work/second" | grep -E '^(created|changed)' && fail "a second install changed something"
grep -q 'mxproof.service is running' "$work/second" && [ "$(shown mxproof MainPID)" = "$main" ] || fail "$(cat "$work/second")"
(inside mxproof service install --folder /srv/other 2>&1 || true) | grep -q 'uninstall' || fail "another folder is not refused"
inside bash -c 'cd /root && mxproof service run account show 1 --json' >"$work/account" 2>&1 || fail "service run in a closed folder: $(cat "$work/account")"
inside bash -c 'mkdir /empty && cd /empty && mxproof account link 1' >"$work/shell" 2>&1 && fail "a command in a shell without settings"
grep -qF 'run "sudo mxproof service run account link 1"' "$work/shell" && [ -z "$(inside ls /empty)" ] || fail "$(cat "$work/shell")"
run backup /var/lib/mxproof/test.backup >/dev/null 2>&1 && run backup verify /var/lib/mxproof/test.backup >/dev/null || fail "a backup"
say "a second install changes nothing and leaves the service running; commands run as its user"

inside systemctl stop mxproof
[ "$(shown mxproof Result) $(shown mxproof ExecMainStatus)" = 'success 0' ] && has_no_process || fail "the stop"
! inside test -e /var/lib/mxproof/postgres/postmaster.pid || fail "PostgreSQL was not shut down"
say "systemctl stop ends both in order"

# No call is merely refused: with this filter, one that it does not know ends the process.
inside mkdir -p /etc/systemd/system/mxproof.service.d
printf '[Service]\nSystemCallErrorNumber=kill\n' | inside tee /etc/systemd/system/mxproof.service.d/test.conf >/dev/null
inside systemctl daemon-reload
inside systemctl start mxproof
wait_for "the service is healthy" is_healthy
check_list second
[ "$(shown mxproof NRestarts)" = 0 ] || fail "the filter has killed the service"
! inside journalctl --no-pager -u mxproof | grep -q 'PostgreSQL died' || fail "the filter has killed PostgreSQL"
say "neither Node nor PostgreSQL makes a call that @system-service does not have"
inside rm -r /etc/systemd/system/mxproof.service.d
inside systemctl daemon-reload

main=$(shown mxproof MainPID)
inside kill -9 "$main"
is_restarted() { [ "$(shown mxproof NRestarts)" = 1 ] && is_healthy; }
wait_for "systemd starts it again" is_restarted
check_list third
say "after kill -9 systemd starts it again"


inside mxproof service uninstall | sed 's/^/  | /'
has_no_process && ! inside test -e /etc/systemd/system/mxproof.service && inside test -d /var/lib/mxproof/postgres || fail "uninstall"
inside mxproof service install >/dev/null
wait_for "the service is healthy" is_healthy
run ledger verify >"$work/ledger" || fail "$(cat "$work/ledger")"
check_list fourth
say "uninstall keeps the data, and a new install goes on with it"
inside systemctl stop mxproof

# Service and worker on a PostgreSQL of its own.
# By the embedded one's binaries, which the service has copied from a folder that it may not write to.
inside bash -c 'cp -a /var/lib/mxproof/binaries/postgres-* /var/lib/own-binaries && chmod -R a+rX /var/lib/own-binaries'
binaries=/var/lib/own-binaries/bin
as_nobody() { inside setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
inside install -d -o 65534 -m 700 /var/lib/own-postgres
as_nobody "$binaries/initdb" -D /var/lib/own-postgres -U mxproof -A trust >"$work/initdb.log" 2>&1 || { cat "$work/initdb.log"; fail initdb; }
as_nobody "$binaries/postgres" -D /var/lib/own-postgres -p 5999 -c unix_socket_directories= >"$work/postgres.log" 2>&1 &
for role in work all; do
  ! inside mxproof service install --role "$role" >"$work/refused" 2>&1 || fail "a worker without DATABASE_URL is installed"
  grep -q '^A worker needs the PostgreSQL that the service uses: ' "$work/refused" || fail "$(cat "$work/refused")"
done
! inside test -e /etc/systemd/system/mxproof-worker.service || fail "the refused install left a unit"
! run work >"$work/refused" 2>&1 || fail "a worker without DATABASE_URL is run"
grep -q '^A worker needs the PostgreSQL that the service uses: ' "$work/refused" || fail "$(cat "$work/refused")"
{ cat "$work/internet"; printf 'MXPROOF_ALLOW_PRIVATE_TARGETS=1\nMXPROOF_HELO_NAME=probe.example.com\nDATABASE_URL=postgresql://mxproof@127.0.0.1:5999/postgres\n'; } | settings
inside mxproof service install --role all --no-checks >"$work/all"
wait_for "the service is healthy" is_healthy
check_list fifth
is_worker_healthy() { run healthcheck --role work; }
wait_for "the worker is healthy" is_worker_healthy
inside systemctl stop mxproof mxproof-worker
for unit in mxproof mxproof-worker; do
  [ "$(shown $unit Result) $(shown $unit ExecMainStatus)" = 'success 0' ] || fail "the stop of $unit"
done
has_no_process || fail "a process is left"
say "service without checks and worker share a PostgreSQL; both stop in order"
# The first key is nowhere but with the person who asks for it.
! inside journalctl --no-pager | grep -qE 'mx_live_|whsec_' || fail "the journal holds a key"
say "passed in $SECONDS s"
