#!/bin/sh
# The picture in the window is the picture without an X server, bit for bit,
# with shared memory and without; and when the server dies, the viewer ends.
set -u
. "$(dirname "$0")/lib"
start_x
command -v xdotool >/dev/null || skip "no xdotool"

"$makelog" "$dir/run.orr" >/dev/null || fail "makelog"
"$viewer" --snapshot "$dir/still.png" --size 1200x800 "$dir/run.orr" ||
    fail "no snapshot without a server"

for shm in "" --noshm; do
	start_viewer $shm --size 1200x800 "$dir/run.orr"
	say wait read
	say wait frame
	wait_for 20 "a frame of everything" is finished 1
	wait_for 20 "its window" window
	id=$(window)
	# a frame drawn while the file was being read may still be shown
	wait_for 10 "equal pixels (${shm:-shm}, still)" \
	    "$grab" "$id" "$dir/still.png"
	# other places, other sizes
	for place in "range 5ms:9ms" "colour time" "select-task 1418" \
	    "lanes state" "tab communication" "help" "clear" "play" "end"; do
		frame=$(state frame)
		say "$place"
		wait_for 10 "$place" is_not frame "$frame"
		say "snapshot $dir/now.png"
		say wait frame
		frame=$(state frame)
		wait_for 10 "the snapshot" test -s "$dir/now.png"
		case $place in play) say pause; rm "$dir/now.png"; continue ;; esac
		wait_for 10 "equal pixels (${shm:-shm}, $place)" \
		    "$grab" "$id" "$dir/now.png"
		rm "$dir/now.png"
	done
	xdotool windowsize "$id" 900 600
	wait_for 10 "the new size" is size 900x600
	say "snapshot $dir/now.png"
	wait_for 10 "the snapshot" test -s "$dir/now.png"
	wait_for 10 "equal pixels (small)" "$grab" "$id" "$dir/now.png"
	rm "$dir/now.png"
	say quit
	gone
	[ $code = 0 ] || fail "quit ends with $code"
done
[ ! -s "$dir/err" ] || fail "it had something to say"

# finer dots, also a fraction more of them
for scale in 1.25 1.5 2; do
	"$viewer" --scale $scale --size 1100x701 --snapshot "$dir/still.png" \
	    "$dir/run.orr" || fail "no snapshot at $scale"
	for way in "" --remote; do
		start_viewer $way --scale $scale --size 1100x701 "$dir/run.orr"
		say wait read
		say wait frame
		wait_for 20 "its window" has_window
		wait_for 10 "equal pixels ($scale ${way:-shm})" \
		    "$grab" "$id" "$dir/still.png"
		say quit
		gone
	done
done

# the server dies
start_viewer "$dir/run.orr"
say wait read
wait_for 20 "a frame" is finished 1
kill -KILL $xvfb_pid
wait $xvfb_pid 2>/dev/null
xvfb_pid=
gone
[ $code = 69 ] || fail "ends with $code after the server's death, not 69"
grep -q 'X server' "$dir/err" || fail "no word about the server"

# no server at all
DISPLAY=:9999 "$viewer" "$dir/run.orr" 2>"$dir/err" && fail "no server, no error"
grep -q 'cannot open display' "$dir/err" || fail "which display?"
echo ok
