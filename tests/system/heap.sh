#!/bin/sh
# Memory of programs that know nothing of Orrery: they print and end as without;
# what they never freed, freed of another thread and freed of NULL is told of the
# right thread, place and size; no address has two owners, whatever they do; and
# what threads have counted is what was told piece by piece.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
leaks=$BUILD/examples/leaks
heap=$BUILD/tests/apps/heap

# same LEVEL COMMAND...: output and code as without
same() {
	level=$1
	shift
	"$@" >"$dir/bare.out" 2>"$dir/bare.err" </dev/null
	bare=$?
	ORRERY_FULL=wait:30000 "$monitorctl" run --memory "$level" "$@" >"$dir/auto.out" 2>"$dir/auto.err" </dev/null
	code=$?
	[ $code = $bare ] || fail "$1 $level: code $code, not $bare"
	cmp "$dir/bare.out" "$dir/auto.out" || fail "$1 $level: another output"
	grep -v '^monitorctl: ' "$dir/auto.err" | cmp "$dir/bare.err" - || fail "$1 $level: other errors"
	says "$dir/auto.err" ', 0 lost'
}

# holds LEVEL COMMAND...: a run of its own, whose log and report are looked at
holds() {
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	same "$@"
	finish

	"$monitorctl" report "$dir/run.orr" >"$dir/page" || fail "report"
	python3 -B "$tests/tools/heap.py" "$(basename "$2")" "$1" "$monitorctl" "$dir/run.orr" ||
	    fail "$1: not what the program did"
	rm "$dir/run.orr"
}

cluster 1 >"$dir/c.yaml"
ends_saying 64 "counts, sample, all or off" "$monitorctl" run --memory some "$leaks"
holds counts "$leaks"
holds all "$leaks"
says "$dir/page" '^  never freed$'
says "$dir/page" '^  n1/[0-9].2 +careless examples/leaks.c:[0-9]+ +5 +5000 +5000$'
says "$dir/page" '^  n1/[0-9].1 +careless examples/leaks.c:[0-9]+ +4 +4000 +4000$'
says "$dir/page" '^      from second examples/leaks.c:[0-9]+$'
says "$dir/page" '^  n1/[0-9].2 +n1/[0-9].1 +1 +1000$'
# valgrind, which runs it by itself, has the same pieces, asked for by the same lines
if command -v valgrind >/dev/null; then
	valgrind --leak-check=full --show-leak-kinds=all --xml=yes --xml-file="$dir/valgrind" "$leaks" >/dev/null 2>&1 ||
	    fail "valgrind"
	python3 - "$dir/valgrind" "$dir/page" <<'END' || fail "valgrind has other pieces"
import re, sys, xml.etree.ElementTree as tree
theirs, ours, row = set(), set(), None
for e in tree.parse(sys.argv[1]).iter("error"):
    frames = [(f.findtext("fn"), f.findtext("line")) for f in e.find("stack") if f.findtext("file") == "leaks.c"]
    theirs.add((e.findtext("xwhat/leakedblocks"), e.findtext("xwhat/leakedbytes"), *frames))
page = open(sys.argv[2]).read().split("never freed\n")[1].split("\n  frees of NULL")[0]
for line in page.splitlines():
    place = re.match(r"  n1/\S+ +(\w+) examples/leaks.c:(\d+) +(\d+) +(\d+) ", line)
    caller = re.match(r"      from (\w+) examples/leaks.c:(\d+)$", line)
    if row and not caller:
        ours.add(tuple(row))
        row = None
    if place:
        row = [place[3], place[4], (place[1], place[2])]
    elif caller and row:
        row.append(caller.groups())
if row:
    ours.add(tuple(row))
print(f"leaks: {sorted(ours)}")
if ours != theirs or sum(int(r[0]) for r in ours) != 9:
    sys.exit(f"valgrind: {sorted(theirs)}")
END
fi
holds off "$leaks"
holds sample "$leaks" 100000
holds all "$heap" 2000 3000
holds counts "$heap" 2000 10

# more stacks than the table holds: what has none is counted, and nothing is lost
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
same all "$heap" 10 100000
finish
"$monitorctl" dump --raw "$dir/run.orr" | awk -F '\t' '
	$5 == "mem_alloc" && $9 == 9016 { n++; $10 == 0 ? none++ : has[$10] = 1 }
	END { for (s in has) stacks++
		print n " pieces, " none " without a stack, " stacks " stacks"
		exit !(n == 100000 && none > 0 && none + stacks == n) }' || fail "stacks"
"$monitorctl" report "$dir/run.orr" >"$dir/page" || fail "report"
says "$dir/page" '^  \(not known\) +heap +[1-9]'
rm "$dir/run.orr"

# rings that wait while the collector takes nothing: of that wait, a sleep of
# libprobe's own, nothing is told, since that would want room, too
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
child() { ps -o pid= --ppid "$1" | head -n 1 | tr -d ' '; }
has_worker() { worker=$(child "$(child "$monitord_pid")") && [ -n "$worker" ]; }
wait_for 10 "the worker" has_worker
{ sleep 0.3; kill -STOP "$worker"; sleep 0.7; kill -CONT "$worker"; } &
same all "$heap" 10 70000
finish
"$monitorctl" dump --kind system_wait "$dir/run.orr" | grep -q sleep &&
    fail "libprobe's own sleep is told of"
exit 0
