# For the scripts under tests/ and scripts/: a place of their own, daemons, and
# a clean end.  Sourced; BUILD says where the programs are.

BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
monitord=$BUILD/monitord/monitord
monitorctl=$BUILD/tools/monitorctl
load=$BUILD/tests/apps/load
tests=$PWD/tests
. "$tests/reads.sh"

dir=$(mktemp -d "${TMPDIR:-/tmp}/orrery-test.XXXXXX")
export ORRERY_DIR=$dir/run XDG_STATE_HOME=$dir/state
mkdir -m 700 "$ORRERY_DIR"
# how many events there are is known: counters come when they like
export ORRERY_COUNTERS=0
monitord_pid=

cleanup() {
	code=$?
	trap - EXIT INT TERM
	[ -z "$monitord_pid" ] || kill "$monitord_pid" 2>/dev/null
	kill_all
	# what a sanitizer has to say of a daemon is a failure
	if grep -qsE 'AddressSanitizer|LeakSanitizer|ThreadSanitizer|runtime error:' "$dir"/*.err; then
		echo "FAIL: a sanitizer has found something"
		cat "$dir"/*.err
		[ $code -ne 0 ] || code=1
	fi
	[ $code -ne 0 ] || reads_left || code=1
	rm -rf "$dir"
	exit $code
}
# ours: the processes whose command line or environment names $dir
ours() {
	grep -lsaF -e "$dir" /proc/[0-9]*/cmdline /proc/[0-9]*/environ |
	    sed 's|/proc/\([0-9]*\)/.*|\1|' | sort -un | grep -vx $$
}
# Until none is left: a keeper and its worker start each other again.
kill_all() {
	rounds=20
	while [ $rounds -gt 0 ]; do
		left=0
		for p in $(ours); do # and no longer those that have looked
			kill -KILL "$p" 2>/dev/null && left=$((left + 1))
		done
		[ $left -gt 0 ] || return 0
		rounds=$((rounds - 1))
		sleep 0.02
	done
}
trap cleanup EXIT
trap 'exit 130' INT TERM

fail() {
	echo "FAIL: $*"
	[ ! -f "$dir/monitord.err" ] || { echo "-- monitord says:"; tail -n 20 "$dir/monitord.err"; }
	[ -z "$monitord_pid" ] || { echo "-- status:"; timeout 5 "$monitorctl" status; }
	exit 1
}
skip() { echo "$*"; exit 77; }

# ends_with CODE COMMAND...: what it prints is in $dir/out
ends_with() {
	want=$1
	shift
	"$@" >"$dir/out" 2>&1 </dev/null
	got=$?
	[ $got -eq "$want" ] || { cat "$dir/out"; fail "$* ended with $got, not $want"; }
}
# says FILE PATTERN: a line of the file matches
says() {
	grep -Eq -- "$2" "$1" || { cat "$1"; fail "$1 lacks: $2"; }
}
# ends_saying CODE PATTERN COMMAND...: with this code, and with such a line
ends_saying() {
	code=$1 pattern=$2
	shift 2
	ends_with "$code" "$@"
	says "$dir/out" "$pattern"
}
# refused CODE PATTERN DAEMON...: it says why, and ends at once
refused() {
	code=$1 pattern=$2
	shift 2
	ends_saying "$code" "$pattern" timeout 10 "$@"
}

# wait_for SECONDS WHAT COMMAND...: until the command succeeds
wait_for() {
	limit=$(($1 * 20)) what=$2
	shift 2
	while ! "$@" >/dev/null 2>&1; do
		limit=$((limit - 1))
		[ $limit -gt 0 ] || fail "waited in vain for $what"
		sleep 0.05
	done
}

# start_monitord [CLUSTER.yaml]: and wait until it answers
start_monitord() {
	"$monitord" --index no --log "$dir/run.orr" "$@" \
	    2>>"$dir/monitord.err" &
	monitord_pid=$!
	wait_for 20 "monitord" "$monitorctl" status
}

# nodes_ready N: N nodes are connected and on the clock
nodes_ready() {
	[ "$("$monitorctl" status | grep -cE 'clock: *(locked|coarse)')" -ge "$1" ]
}

# stored N: more than N events are in the log
stored() {
	[ "$("$monitorctl" status | sed -n 's/^log: .* \([0-9]*\) events,.*/\1/p')" -gt "$1" ]
}

# a port for this test; not one that the kernel gives to those who connect
some_port() { echo $((20000 + $$ % 12000)); }

# cluster N [EXTRA]: a cluster file of N local nodes with clocks that are
# seconds apart and drift
cluster() {
	echo "name: test"
	echo "defaults: { launch: local${2:+, $2} }"
	echo "nodes:"
	i=1
	while [ $i -le "$1" ]; do
		echo "  - { name: n$i, test_clock: \"$((i * 7 % 5 - 2)).$i,$((i * 53 % 200 - 100))\" }"
		i=$((i + 1))
	done
}

# finish: shut down, keep the receipt, let monitord end
finish() {
	"$monitorctl" shutdown >"$dir/receipt" 2>&1 ||
	    { cat "$dir/receipt"; fail "shutdown says the run is not good"; }
	wait "$monitord_pid" || fail "monitord ended with $?"
	monitord_pid=
	"$monitorctl" check "$dir/run.orr" >"$dir/check" 2>&1 ||
	    { cat "$dir/check"; fail "the log does not check"; }
	reads_equal "$dir/run.orr" || fail "a log is not what its page says"
}
