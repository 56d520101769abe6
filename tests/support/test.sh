#!/bin/sh
# The build, then the tests, and beside them the checks that need none: those are done while the first tests still wait for servers.
# A failed check prints its findings as soon as it has them, and once more below the results of the tests.
set -u
sh tests/support/check.sh build || exit 1
printed=$(mktemp)
trap 'rm -f "$printed"' EXIT
{ sh tests/support/check.sh typecheck lint unused >"$printed" 2>&1 || { cat "$printed"; exit 1; }; } &
checks=$!
vitest run --config tests/vitest.config.ts "$@"
status=$?
if ! wait $checks; then
  status=1
  cat "$printed"
  echo 'a check failed: see above'
fi
exit $status
