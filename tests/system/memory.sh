#!/bin/sh
# A program pays for the memory that it uses: rings, names, what mlockall(2)
# finds to lock; and is not killed for it in a cgroup where it has room.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
memory=$BUILD/tests/apps/memory
sanitized() { nm "$memory" | grep -q '__[at]san_init'; }

# kb FILE WORD: that line of the status
kb() { awk -v w="$2:" '$1 == w { print $2 }' "$dir/$1"; }
# costs NAME MOST ARGUMENT...: memory of its own and shared, beside ORRERY=off
costs() {
	name=$1 most=$2
	shift 2
	"$memory" "$@" >"$dir/on" || fail "$name"
	ORRERY=off "$memory" "$@" >"$dir/off" || fail "$name, off"
	shared=$(kb on RssShmem)
	sum=$((shared + $(kb on RssAnon) - $(kb off RssAnon)))
	echo "$name: $shared KB shared, $sum KB in all"
	sanitized && sum=$shared
	[ $sum -le "$most" ] || fail "$name: more than $most KB"
}

# locks WHAT: at most 8 MB more than without
locks() {
	# that it has not been attached before is for MCL_FUTURE
	"$memory" "$1" >"$dir/on" &
	pid=$!
	[ -n "$monitord_pid" ] || start_monitord "$dir/c.yaml"
	wait $pid || fail "mlockall, $1"
	ORRERY=off "$memory" "$1" >"$dir/off" || fail "mlockall, $1, off"
	more=$(($(kb on VmLck) - $(kb off VmLck)))
	echo "mlockall, $1: $more KB locked more, $(($(kb on RssShmem))) KB of rings"
	[ $more -le 8192 ] || fail "mlockall: $more KB more are locked"
	[ "$(kb on RssShmem)" -le 8192 ] || fail "mlockall: rings have $(kb on RssShmem) KB"
}

cluster 1 >"$dir/c.yaml"
sanitized || locks future
[ -n "$monitord_pid" ] || start_monitord "$dir/c.yaml"
wait_for 10 "a node" nodes_ready 1
sanitized || {
	locks current
	limit=$(($(kb off VmSize) + 4096))
	"$memory" current $limit >/dev/null || fail "mlockall in a limit of $limit KB"
}

costs "32 threads, 10 events each" 4096 threads 32 10
costs "32 threads, 20,000 events each, taken in time" 4096 threads 32 20000
costs "20,000 names" 4096 names 20000 0
costs "100,000 names" 16384 names 100000 0
grep -qx 'refused: 0' "$dir/on" || fail "names were refused"

# A child tells none of its parent's names again, but those that the collector
# had not taken yet when it was forked: a few children on a busy machine.  All 64
# would tell 1.3 million, 62 MB.
journal=$(find "$ORRERY_DIR" -name journal)
before=$(wc -c <"$journal")
"$memory" names 20000 64 >/dev/null || fail "a child of many names"
children() { [ "$("$monitorctl" status | sed -n 's/.* POs \([0-9]*\) .*/\1/p')" = 0 ]; }
wait_for 10 "the children to be gone" children
told=$(($(wc -c <"$journal") - before))
echo "20,000 names, 64 children: $told bytes of definitions"
[ $told -le 16000000 ] || fail "names are told again"

child() { pgrep -P "$1" | head -n 1; }
# by the system's own books, where they can be opened
group() {
	g=/sys/fs/cgroup/memory/orrery-$$ limit=memory.limit_in_bytes
	mkdir "$g" 2>/dev/null && [ -f "$g/$limit" ] && return 0
	rmdir "$g" 2>/dev/null
	g=/sys/fs/cgroup/orrery-$$ limit=memory.max
	mkdir "$g" 2>/dev/null && [ -f "$g/$limit" ] && return 0
	rmdir "$g" 2>/dev/null
	return 1
}
if sanitized || ! group; then
	echo "no cgroup to limit the memory of"
else
	# nobody takes the events: rings grow to an eighth of what the group has
	echo 40M >"$g/$limit"
	mkfifo "$dir/go"
	sh -c 'echo $$ >"$1/cgroup.procs" && exec "$2" late 32 60000' sh "$g" "$memory" \
	    <"$dir/go" >"$dir/on" &
	late=$!
	exec 5>"$dir/go"
	wait_for 10 "the program" grep -q attached "$dir/on"
	worker=$(child "$(child "$monitord_pid")")
	kill -STOP "$worker" || fail "the worker is gone"
	echo go >&5
	wait $late
	code=$?
	kill -CONT "$worker"
	exec 5>&-
	wait_for 5 "the group to be empty" rmdir "$g"
	[ $code -eq 0 ] || fail "in a cgroup of 40 MB it ends with $code"
	sum=$(kb on RssShmem)
	echo "a cgroup of 40 MB, nobody takes events: $sum KB shared"
	[ "$sum" -ge 4096 ] || fail "rings do not grow"
	[ "$sum" -le $((5120 + 32 * 32 + 1024)) ] || fail "rings have $sum KB"
fi
finish
# what it could not keep is counted, to the event: also the end of a thread whose
# ring has no reserve for it
[ -z "${late:-}" ] || {
	po=$("$monitorctl" dump --kind po_begin "$dir/run.orr" | awk 'END { split($2, at, "[/.]"); print at[2] }')
	"$monitorctl" dump --po "$po" "$dir/run.orr" | awk '
	    / note .*text=memory$/ { kept++ }
	    / thread_(begin|end) / { life++ }
	    / lost records=/ { sub(".*records=", ""); lost += $1 }
	    END {
		print kept " events kept, " life " of threads, " lost " lost"
		exit kept + life + lost != 32 * (60000 + 2) || lost == 0
	    }' || fail "events that are neither kept nor counted"
}
[ "$("$monitorctl" dump "$dir/run.orr" | grep -cE 'text=(object|child)-[0-9]+')" = 128 ] ||
    fail "names of children are not in the log"
