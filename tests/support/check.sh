#!/bin/sh
# The scripts that are named, side by side: of themselves the build and the checks that need no test. What a failed one has printed comes
# when all have ended.
set -u
[ $# -gt 0 ] || set -- typecheck lint unused build
printed=$(mktemp -d)
trap 'rm -rf "$printed"' EXIT
for name in "$@"; do
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
