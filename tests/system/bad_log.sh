#!/bin/sh
# A log that is cut at any byte, has a byte changed, or is no log: dump,
# report, check and viewer --describe read what is whole or say what is wrong;
# monitord goes on with one that is cut, and leaves alone what is not its own.
#
#	CUTS=500 sh tests/system/bad_log.sh	so many places; 24 by default
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
cuts=${CUTS:-24}
unset DISPLAY

# two logs: a finished one, and one whose monitord was killed
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$load" --wait --threads 2 --rate 20000 --events 20000 >/dev/null || fail "load"
wait_for 10 "events in the log" stored 10000
cp "$dir/run.orr" "$dir/unfinished.orr"
finish
good=$dir/run.orr
size=$(stat -c %s "$good") unfinished=$(stat -c %s "$dir/unfinished.orr")
all=$("$monitorctl" dump "$good" | wc -l)

# tried CODES COMMAND...: exit code among these, one line of complaint at most
tried() {
	codes=$1
	shift
	timeout 20 "$@" >"$dir/out" 2>"$dir/err" </dev/null
	code=$?
	case " $codes " in *" $code "*) ;; *) cat "$dir/err"; fail "$*: exit $code, not one of $codes" ;; esac
	[ $code -eq 0 ] || [ -s "$dir/err" ] || [ -s "$dir/out" ] || fail "$*: exit $code without a word"
}
last=-1
readers() {
	tried "0 65" "$monitorctl" dump "$1"
	n=$(wc -l <"$dir/out")
	[ "$n" -le "$all" ] || fail "$1: more events than there were"
	tried "0 65" "$monitorctl" report "$1"
	tried "65" "$monitorctl" check "$1"
	tried "0 65" "$BUILD/viewer/viewer" --describe "$1"
}

i=0
while [ $i -le "$cuts" ]; do
	case $i in
	0)	at=0 ;; 1) at=1 ;; 2) at=15 ;; 3) at=16 ;; 4) at=17 ;;
	5)	at=$((size - 1)) ;; 6) at=$((size - 17)) ;;
	*)	at=$((size * (i - 6) / (cuts - 5) + i)) ;;
	esac
	[ $at -lt "$size" ] || at=$((size - 2))
	head -c $at "$good" >"$dir/cut.orr"
	readers "$dir/cut.orr"
	[ $i -lt 7 ] || { [ "$n" -ge "$last" ] || fail "cut at $at: $n events, less than before"; last=$n; }
	i=$((i + 1))
done
echo "cut at $i places: read"

# one byte changed: what is whole is read, and check says so
for at in 5 100 $((size / 3)) $((size / 2)) $((size * 4 / 5)); do
	cp "$good" "$dir/bent.orr"
	old=$(od -An -tu1 -j $at -N 1 "$good" | tr -d ' ')
	printf "\\$(printf %o $((old ^ 85)))" |
	    dd of="$dir/bent.orr" bs=1 seek=$at conv=notrunc 2>/dev/null
	readers "$dir/bent.orr"
done

# not ours
head -c 100000 /dev/urandom >"$dir/noise.orr"
cp "$monitorctl" "$dir/program.orr"
for f in noise program; do
	for c in "$monitorctl dump" "$monitorctl report" "$monitorctl check" "$BUILD/viewer/viewer --describe"; do
		tried 65 $c "$dir/$f.orr"
		grep -q "$f.orr: is not a log of orrery; give the file that monitord wrote" "$dir/err" ||
		    { cat "$dir/err"; fail "$c: does not say what it wants"; }
	done
	cp "$dir/$f.orr" "$dir/before"
	tried 73 "$monitord" --log "$dir/$f.orr" "$dir/c.yaml"
	grep -q "is no log of orrery; it is left alone, name another" "$dir/err" || { cat "$dir/err"; fail "monitord does not say so"; }
	cmp -s "$dir/before" "$dir/$f.orr" || fail "monitord has touched what is not its own"
done

# logs by somebody who means harm (the seeds of the fuzz targets): each reader
# ends with a sentence, and needs next to nothing for it
export XDG_CACHE_HOME="$dir/cache"
printf 'wait read\nquit\n' >"$dir/script"
limited() {
	case $BUILD in
	*san) tried "$@" ;; # which needs terabytes of addresses
	*) (ulimit -v 2000000; tried "$@") || exit 1 ;;
	esac
}
for f in tests/fuzz/seeds/viewer/*; do
	cp "$f" "$dir/harm.orr"
	for c in dump report check refit; do
		limited "0 65" "$monitorctl" $c "$dir/harm.orr"
	done
	limited "0 64 65 69" "$monitorctl" past "$dir/harm.orr" n1/1.1:0
	limited "0 65" "$BUILD/viewer/viewer" --describe "$dir/harm.orr"
	limited "0 65" "$BUILD/viewer/viewer" --snapshot "$dir/harm.png" "$dir/harm.orr"
	limited "0 65" "$BUILD/viewer/viewer" --headless --script "$dir/script" "$dir/harm.orr"
	tried "0 65" "$BUILD/viewer/viewer" --index "$dir/harm.orr"
	case $f in
	*/segment_undefined_node|*/event_at_INT64_MAX|*/name_number_67M) ;;
	*) continue ;;
	esac
	what="makes no sense in [0-9]* places, which are left out; the first, at byte"
	"$BUILD/viewer/viewer" --describe "$dir/harm.orr" >"$dir/out" 2>"$dir/err"
	grep -q "harm.orr $what" "$dir/err" || fail "$f: not a word of it"
	grep -q "odd: the log $what" "$dir/out" || { cat "$dir/out"; fail "$f: does not say what is wrong"; }
done
echo "logs that mean harm: read"

# monitord goes on with a log cut anywhere, and what it makes of it checks
printf 'name: test\nnodes:\n  - { name: n1, launch: none }\n' >"$dir/none.yaml"
for at in 7 $((unfinished / 4)) $((unfinished / 2)) $((unfinished - 3)); do
	head -c $at "$dir/unfinished.orr" >"$dir/torn.orr"
	"$monitord" --log "$dir/torn.orr" "$dir/none.yaml" 2>"$dir/monitord.err" &
	monitord_pid=$!
	wait_for 20 "monitord on a log cut at $at" "$monitorctl" status
	"$monitorctl" shutdown >"$dir/receipt" 2>&1
	wait "$monitord_pid"
	monitord_pid=
	# its node has not come back, which is all that may be wrong
	tried "0 65" "$monitorctl" check "$dir/torn.orr"
	grep -q '^violations 0,' "$dir/out" || { cat "$dir/out" "$dir/receipt"; fail "continued at $at: violations"; }
done
echo "bad logs: ok"
