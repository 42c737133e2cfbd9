#!/bin/sh
# The system's counters of a program and its node, and those that it tells
# itself: they are what the kernel says, they can be left out, and all figures
# that are shown of them are what their values say (tests/oracle).
. tests/lib.sh

command -v python3 >/dev/null || skip "no python3"
counts=$BUILD/tests/apps/counts

# value OF NAME FIGURE: of a counter, as the report has it
value() {
	"$monitorctl" report --json "$dir/run.orr" | python3 -c '
import json, sys
of, name, figure = sys.argv[1:]
for c in json.load(sys.stdin)["counters"]:
    if (c["of"], c["name"]) == (of, name):
        print(c[figure])' "$@"
}
# about IS SHOULD PARTS WHAT: within one of so many parts
about() {
	[ "$1" -le $(($2 + $2 / $3)) ] && [ "$1" -ge $(($2 - $2 / $3)) ] ||
	    fail "$4: $1, and $2 says the kernel"
}
# runs [ENV...]: in a run of its own; what it says of itself is in $cpu...
runs() {
	cluster 1 "$1" >"$dir/c.yaml"
	start_monitord "$dir/c.yaml"
	wait_for 10 "the node" nodes_ready 1
	ORRERY_NODE=n1 "$counts" >"$dir/said" 2>"$dir/written" ||
	    fail "the program ends with $?"
	read -r cpu faults bytes <"$dir/said"
	"$monitorctl" status >"$dir/page" && "$monitorctl" status --json >"$dir/status" || fail "status"
	finish
}

runs "counters: 10ms"
about "$(value n1/1 cpu last)" "$cpu" 20 "CPU time"
about "$(value n1/1 'page faults minor' last)" "$faults" 20 "page faults"
[ "$(value n1/1 written last)" -ge "$bytes" ] || fail "bytes written"
grown=$(($(value n1/1 'memory resident' max) - $(value n1/1 'memory resident' min)))
[ $grown -ge 10000000 ] || fail "memory: $grown bytes more"
[ "$(value n1/1 'switches voluntary' last)" -ge 2 ] || fail "switches"
[ "$(value n1/1 threads max)" = 2 ] || fail "threads"
# what status has told of the machine are figures of the log
says "$dir/page" '^ +machine: cpu [0-9]+ %, load [0-9.]+, memory [0-9]+ [MG]B, network in .*/s, out .*/s$'
python3 "$tests/tools/host_holds.py" "$monitorctl" "$dir/status" "$dir/run.orr" || fail "the machine in status"
for name in "cpu user" "cpu system" switches running tasks load "memory used"; do
	[ -n "$(value n1 "$name" last)" ] || fail "the node's $name"
done
[ "$(value n1/1.2 queue values)" = 30 ] || fail "its own counter"
[ "$(value n1/1.2 queue min)" = -3 ] || fail "its own counter"
[ "$(value n1/1.2 ratio max)" = 3.625 ] || fail "its own counter"
if [ -x "$BUILD/viewer/viewer" ]; then
	python3 -B "$tests/oracle/oracle" --build "$BUILD" --ranges 30 \
	    --only counters "$dir/run.orr" || fail "figures that are not true"
fi

# left out: by the cluster file, and with the class that they are of
for off in "counters: 0" "counters: 10ms, mask: [task]"; do
	rm -f "$dir"/run*.orr
	runs "$off"
	! grep -q machine: "$dir/page" || fail "a machine without counters: $off"
	[ "$("$monitorctl" dump --kind measure "$dir/run.orr" | wc -l)" = 0 ] ||
	    fail "counters with $off"
done
