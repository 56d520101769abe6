#!/bin/sh
# The build and the checks that need no test, side by side; what a failed one has printed comes when all have ended.
set -u
printed=$(mktemp -d)
trap 'rm -rf "$printed"' EXIT
for name in typecheck lint unused build; do
  { npm run "$name" >"$printed/$name" 2>&1 || touch "$printed/$name.failed"; } &
done
wait
status=0
for failed in "$printed"/*.failed; do
  [ -e "$failed" ] || continue
  status=1
  cat "${failed%.failed}"
done
exit $status
