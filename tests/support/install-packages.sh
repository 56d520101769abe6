#!/bin/sh
# What the tests need from the system: the server programs of PostgreSQL and Redis, a browser without a window and Chinese letters for the dashboard,
# and the shells that complete our commands. Nothing is done where they are there. Without the proxies and the pooler, the tests that need them are left out.
set -eu
packages=''
{ ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 && id postgres >/dev/null 2>&1; } || packages='postgresql'
command -v redis-server >/dev/null 2>&1 || packages="$packages redis-server"
{ [ -x "${TOLLGATE_TEST_BROWSER:-/usr/bin/chromium-headless-shell}" ] && fc-list 2>/dev/null | grep -q 'Noto Sans CJK'; } ||
  packages="$packages chromium-headless-shell fontconfig fonts-noto-cjk"
for shell in zsh fish; do
  command -v "$shell" >/dev/null 2>&1 || packages="$packages $shell"
done
proxies=''
for proxy in nginx caddy haproxy pgbouncer; do
  command -v "$proxy" >/dev/null 2>&1 || proxies="$proxies $proxy"
done
[ -n "$packages$proxies" ] || exit 0
if ! command -v apt-get >/dev/null 2>&1; then
  [ -n "$packages" ] || exit 0
  echo 'The tests need redis-server, zsh, fish, chromium-headless-shell with the Noto CJK fonts, and the PostgreSQL server programs (initdb, pg_ctl) under /usr/lib/postgresql; install them first.' >&2
  exit 1
fi
sudo=''
[ "$(id -u)" = 0 ] || sudo='sudo'
# RUNLEVEL: the tests start servers of their own; the packages' services stay off.
export DEBIAN_FRONTEND=noninteractive RUNLEVEL=1
$sudo apt-get update -qq
# Older systems have the whole browser only; the tests take it as well.
apt-cache show chromium-headless-shell >/dev/null 2>&1 || packages=$(echo "$packages" | sed 's/chromium-headless-shell/chromium/')
for proxy in $proxies; do
  ! apt-cache show "$proxy" >/dev/null 2>&1 || packages="$packages $proxy"
done
[ -n "$packages" ] || exit 0
# shellcheck disable=SC2086 # a list of words
$sudo apt-get install -y -qq --no-install-recommends $packages >/dev/null
