#!/bin/sh
# VISTA's own measurement: the 15,419 tasks of `semigroup`, loaded and shown,
# and shown again.  Prints lines of bench.tsv.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh

start_monitord
wait_for 20 "a collector" nodes_ready 1
"$monitorctl" run "$BUILD/examples/semigroup" --pace 0 >"$dir/out" 2>&1 ||
    { cat "$dir/out"; fail semigroup; }
finish
${AHEAD:-} "$BUILD/tests/bench/tree" "$dir/run.orr"
