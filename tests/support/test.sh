#!/bin/sh
# The build, then the tests, and beside them the checks that need none: those are done while the first tests still wait for servers.
# A failed check prints its findings as soon as it has them, and once more below the results of the tests.
set -u
# Databases and data folders are made and thrown away by the hundred: in memory they wait for no disk.
memory=''
if [ -z "${TMPDIR:-}" ] && [ -w /dev/shm ] && [ "$(df -Pk /dev/shm | awk 'NR == 2 { print $4 }')" -gt 8000000 ]; then
  memory=$(mktemp -d /dev/shm/tollgate-XXXXXX)
  # PostgreSQL runs as another user.
  chmod 1777 "$memory"
  export TMPDIR="$memory"
fi
printed=$(mktemp)
again=$(mktemp)
trap 'rm -rf "$printed" "$again" $memory' EXIT
# TOLLGATE_BUILT, TOLLGATE_CHECKED: they are done already.
[ -n "${TOLLGATE_BUILT:-}" ] || sh tests/support/check.sh build || exit 1
{ [ -n "${TOLLGATE_CHECKED:-}" ] || sh tests/support/check.sh typecheck lint unused >"$printed" 2>&1 || { cat "$printed"; exit 1; }; } &
checks=$!
TOLLGATE_FILES_AGAIN=$again vitest run --config tests/vitest.config.ts "$@"
status=$?
# A few files that failed are run once more, each from its start; the summary names them.
if [ -s "$again" ]; then
  # shellcheck disable=SC2046 # a list of files without blanks
  vitest run --config tests/vitest.config.ts $(cat "$again")
  status=$?
fi
if ! wait $checks; then
  status=1
  cat "$printed"
  echo 'a check failed: see above'
fi
exit $status
