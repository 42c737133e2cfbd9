#!/bin/sh
# uProfiler's program in one run beside gprof: both say how often each function was
# called, and the processor time of each is the time between its enters and leaves,
# less that of what it called, less what it was switched out, by the records alone.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
command -v python3 >/dev/null && command -v gprof >/dev/null || skip "no python3, or no gprof"
[ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 9)" -le 2 ] ||
    skip "performance events are not for users here"
${CC:-cc} -O2 -g -pg -finstrument-functions -fno-omit-frame-pointer \
    -finstrument-functions-exclude-file-list=/usr/include,arguments.h,bits/ \
    -I. -o "$dir/calltree" examples/calltree.c || fail "cannot make calltree"
cluster 1 "sched: yes" >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
! grep -q "cannot be recorded" "$dir/monitord.err" || skip "not possible here"
# somebody who wants the processors, too
for i in 1 2 3; do timeout 60 sh -c 'while :; do :; done' & busy="${busy:-} $!"; done
(cd "$dir" && "$monitorctl" run --full wait:30000 --memory off ./calltree 40) 2>"$dir/err" || { cat "$dir/err"; fail "the program"; }
# shellcheck disable=SC2086
kill $busy
finish
(cd "$dir" && gprof -b -p calltree gmon.out) >"$dir/gprof" || fail "gprof"
for f in first:10 second:10 third:100 fourth:100 fifth:1000; do
	says "$dir/gprof" " ${f#*:} .* ${f%:*}\$"
done
"$monitorctl" dump --raw "$dir/run.orr" >"$dir/rows"
"$monitorctl" dump --kind enter "$dir/run.orr" >"$dir/names"
"$monitorctl" report --json "$dir/run.orr" >"$dir/report"
python3 tests/tools/calltree.py "$dir/rows" "$dir/names" "$dir/report" || fail "other times"
