#!/bin/sh
# What the tests need from the system: PostgreSQL's server programs. Nothing is done where they are there.
set -eu
if ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && id postgres >/dev/null 2>&1; then
  exit 0
fi
if ! command -v apt-get >/dev/null 2>&1; then
  echo 'The tests need the PostgreSQL server programs (initdb, pg_ctl) under /usr/lib/postgresql; install them first.' >&2
  exit 1
fi
sudo=''
[ "$(id -u)" = 0 ] || sudo='sudo'
export DEBIAN_FRONTEND=noninteractive
$sudo apt-get update -qq
$sudo apt-get install -y -qq --no-install-recommends postgresql >/dev/null
