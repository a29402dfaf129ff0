#!/usr/bin/env bash
# Exim, Sendmail and OpenSMTPD beside an installed Postfix, for the tests of the engine against real mail servers.
# Debian's packages of them exclude one another, so they are unpacked below DIR, each with the libraries that this
# machine lacks, and not installed: nothing is started, and the machine gains only the users that they run as.
#   apt-get update && bash scripts/unpack-mail-servers.sh DIR && MXPROOF_MTA_DIR=DIR npm test
# Needs Debian or a derivative, and root or sudo without a password. Says of each make whether it is ready; ends with
# status 1 if one is not.
set -uo pipefail
[ $# = 1 ] || { echo "usage: bash $0 DIR" >&2; exit 2; }
mkdir -p "$1" && target=$(cd "$1" && pwd) || exit 1

as_root() { if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi; }

# What installing the packages would bring, given what is installed; downloaded only.
download() {
  local debs=$1
  shift
  mkdir -p "$debs/partial" &&
    apt-get install -y -q --no-install-recommends --download-only \
      -o Debug::NoLocking=1 -o APT::Sandbox::User=root -o Dir::Cache::archives="$debs" "$@"
}

ensure_user() {
  id -u "$1" >/dev/null 2>&1 ||
    as_root useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin "$1"
}

unpack() {
  local make=$1 packages=$2 users=$3 deb user
  local debs=$target/.debs/$make
  # shellcheck disable=SC2086 # several packages
  download "$debs" $packages || return 1
  for deb in "$debs"/*.deb; do dpkg-deb -x "$deb" "$target/$make" || return 1; done
  # Root starts them; a program with set-ID bits would find no libraries but the system's, and lend root to everybody.
  chmod -R ug-s "$target/$make" || return 1
  for user in $users; do ensure_user "$user" || return 1; done
}

status=0
ready() {
  local make=$1 program=$target/$1/$2 said
  shift 2
  if said=$(unpack "$make" "$@" 2>&1) && [ -x "$program" ]; then
    echo "$make: ready, $program"
  else
    status=1
    echo "$make: not ready: $(grep -v '^$' <<<"$said" | tail -1)"
  fi
}

ready exim usr/sbin/exim4 exim4-daemon-light Debian-exim
ready sendmail usr/libexec/sendmail/sendmail 'sendmail-bin sendmail-cf m4' 'smmta smmsp'
ready opensmtpd usr/sbin/smtpd opensmtpd 'opensmtpd opensmtpq'
rm -rf "$target/.debs"
exit "$status"
