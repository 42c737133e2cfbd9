#!/bin/sh
# What goes wrong with X servers: shared memory that is refused or is not ours,
# a slow line, a server that is killed or a line that is cut in the middle of a
# live run, storms of new sizes, a window closed while the run goes on.
set -u
. "$(dirname "$0")/lib"
command -v xdotool >/dev/null || skip "no xdotool"
own=
trap 'code=$?; kill $own 2>/dev/null; (exit $code); cleanup' EXIT
storm=${STORM:-1000}
start_x
near=$DISPLAY
"$makelog" "$dir/run.orr" >/dev/null || fail "makelog"
"$makelog" -b 100 -x 1000 -n 400000 "$dir/live.orr" >/dev/null || fail "makelog"

behind_proxy() { # PROXY OPTIONS -- ARGUMENTS
	options=
	while [ "$1" != -- ]; do
		options="$options $1"
		shift
	done
	shift
	start_proxy $options
	DISPLAY=$far
	start_viewer "$@"
	DISPLAY=$near
}
live() { # a run that goes on, for longer than anybody watches
	start_live "$dir/live.orr" "$dir/live.sock" 30 120
}
ends() { # CODE LINES: with that code, having said so many lines
	gone
	[ $code = "$1" ] || fail "ends with $code, not $1"
	[ "$(wc -l <"$dir/err")" = "$2" ] || fail "not $2 line(s)"
}

# shared memory that fails, and that of somebody else: the same picture
for fault in shm-refused shm-foreign; do
	behind_proxy -u -f $fault -- --size 900x600 "$dir/run.orr"
	say wait read
	say wait frame
	wait_for 20 "its window" has_window
	say "range 5ms:9ms"
	say "zoom-in"
	equal $fault
	[ "$(grep -c . "$dir/err")" = 0 ] || fail "it had something to say"
	say quit
	ends 0 0
	stop_proxy
done

# a server far away that has no memory for a copy of the window: as near
behind_proxy -f no-pixmap -- --size 900x600 "$dir/run.orr"
say wait read
say wait frame
wait_for 20 "its window" has_window
equal no-pixmap
say "range 5ms:9ms"
equal "no-pixmap, later"
say quit
ends 0 0
stop_proxy

# a line of 1 Mbit/s with 100 ms each way: keys are answered, and it ends
behind_proxy -d 100 -r 125000 -- --size 900x600 "$dir/run.orr"
wait_for 60 "a frame" is finished 1
wait_for 20 "its window" has_window
xdotool windowfocus --sync "$id"
for try in 1 2 3; do # a first key may mean nothing, see focus
	range=$(state range)
	xdotool key w
	soon is_not range "$range" && break
done
xdotool key g
wait_for 30 "an answer" is grid 0
equal "slow line"
say quit
ends 0 0
stop_proxy

# the line is cut, the server dies: one clear line each, and an exit code
sum=$(cksum <"$dir/live.orr")
live
behind_proxy -- --connect "unix:$dir/live.sock"
wait_for 20 "events" is_not events 0
kill -USR2 $proxy_pid
ends 69 1
grep -q 'X server is gone' "$dir/err" || fail "no word about the server"
stop_live
stop_proxy
own=$xvfb_pid
start_x
live
start_viewer --connect "unix:$dir/live.sock"
wait_for 20 "events" is_not events 0
kill -KILL $xvfb_pid
wait $xvfb_pid 2>/dev/null
ends 69 1
grep -q 'X server is gone' "$dir/err" || fail "no word about the server"
stop_live
[ "$(cksum <"$dir/live.orr")" = "$sum" ] || fail "the log was changed"
xvfb_pid=$own DISPLAY=$near

# sizes like hail, while a run goes on, with and without shared memory
for way in "" --noshm --remote; do
	live
	start_viewer $way --connect "unix:$dir/live.sock"
	wait_for 20 "events" is_not events 0
	wait_for 20 "its window" has_window
	seed=7
	for i in $(seq $((storm / 3))); do
		seed=$(((seed * 75 + 74) % 65537))
		echo "windowsize $id $((480 + seed % 1100)) $((320 + seed / 7 % 680))"
	done | xdotool - || fail "xdotool"
	xdotool windowsize "$id" 1000 700
	wait_for 30 "the last size (${way:-shm})" is size 1000x700
	stop_live
	wait_for 30 "its end" is connected 0
	equal "after the storm (${way:-shm})"
	say quit
	gone
	[ $code = 0 ] || fail "ends with $code"
	grep -v "waiting\|is gone" "$dir/err" && fail "it had something to say"

	# closed by the window manager's button while the run goes on
	live
	start_viewer $way --connect "unix:$dir/live.sock"
	wait_for 20 "events" is_not events 0
	wait_for 20 "its window" has_window
	"$BUILD/tests/x11/grab" -c "$id" || fail "cannot close"
	ends 0 0
	stop_live
done
echo ok
