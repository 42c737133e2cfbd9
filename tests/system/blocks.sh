#!/bin/sh
# Calls of the system that have to wait, of a program that knows nothing of
# Orrery: each wait is in the log under its name, none of those that need not
# wait is, and the program prints, ends and gets its bytes as without.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
# a sanitizer's library has to be the first that is loaded
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
export TMPDIR="$dir"
blocks=$BUILD/tests/apps/blocks

cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
timeout -s KILL 100 "$blocks" 10 >"$dir/bare.out" || fail "without: $?"
timeout -s KILL 100 "$monitorctl" run "$blocks" 10 >"$dir/auto.out" 2>"$dir/auto.err" ||
    fail "with: $? $(cat "$dir/auto.err")"
cmp "$dir/bare.out" "$dir/auto.out" || fail "another output"
says "$dir/auto.err" ' 0 lost'
finish

"$monitorctl" report --yaml "$dir/run.orr" >"$dir/report" || fail "report"
"$monitorctl" report "$dir/run.orr" >"$dir/text"
says "$dir/text" '^  read pipe  *blocks  *21 '
"$monitorctl" dump "$dir/run.orr" >"$dir/rows"
python3 - "$dir/rows" "$dir/bare.out" <<'END' || fail "not what the program did"
# Waits by their names; each ends before the next of its thread begins.
import collections, re, sys

want = {k: int(n) for k, n in (line.rstrip("\n").split("\t") for line in open(sys.argv[2]))}
row = re.compile(r'\S+ (\S+) (io|system)_(wait|done) \w+=(-?\d+) (?:result=(-?\d+) )?call="?([^"]*)"?$')
found, asleep, results = collections.Counter(), {}, collections.Counter()
for line in open(sys.argv[1]):
    m = row.match(line.strip())
    if m is None:
        continue
    where, of, what, number, result, name = m.groups()
    if what == "wait":
        if where in asleep:
            sys.exit(f"FAIL: waits twice: {line}")
        asleep[where] = of, number, name
        found[name] += 1
    else:
        if asleep.pop(where, None) != (of, number, name):
            sys.exit(f"FAIL: another one has ended: {line}")
        results[name, int(result)] += 1
if asleep:
    sys.exit(f"FAIL: still waits: {asleep}")
# a socket's name has its path; it may have to wait to be connected, or not
found = {k: n for k, n in found.items() if not k.startswith(("connect ", "accept "))}
if found != want:
    sys.exit(f"FAIL: {found}, not {want}")
if results["read pipe", -125] != 1:
    sys.exit(f"FAIL: the cancelled one: {results}")
if results["poll unix", 0] != want["select"]:
    sys.exit(f"FAIL: polls of which the time was up: {results}")
print("waits:", sum(found.values()))
END
