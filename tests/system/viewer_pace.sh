#!/bin/sh
# Frames of a script come as a user sees them when that is said: then never more than
# 60 a second, however long it takes.  (Without, as fast as the machine is, of which
# nothing is said here.)
. tests/lib.sh

viewer=$BUILD/viewer/viewer
makelog=$BUILD/tests/bench/makelog
for p in "$viewer" "$makelog"; do
	[ -x "$p" ] || skip "no $p"
done
cd "$dir" || exit 1
"$makelog" run.orr >/dev/null || fail "makelog"

# paced WORDS...: frames that were too many for the time they took
paced() {
	printf '%s\n' "$@" 'wait finished' 'tell from' 'wait redrawn 1000' \
	    'tell to' quit >script
	"$viewer" --headless --config '' --script script run.orr >out ||
	    fail "the viewer: $*"
	awk '/^tell/ { for (i = 3; i <= NF; i++) { split($i, x, "=")
		v[$2, x[1]] = x[2] } }
	    END { n = v["to", "frame"] - v["from", "frame"]
	    ms = v["to", "ms"] - v["from", "ms"]
	    printf("%d\n", n - ms * 60 / 1000 - 2) }' out
}

over=$(paced 'pace user')
[ "$over" -le 0 ] || fail "$over frames more than 60 a second"
[ "$(grep -c '^tell' out)" -eq 2 ] || fail "not told: $(cat out)"
paced 'pace user' 'pace none' >/dev/null
[ "$(grep -c '^tell' out)" -eq 2 ] || fail "pace none is not taken: $(cat out)"
for words in pace 'pace fast' 'pace user 60'; do
	printf '%s\nquit\n' "$words" >script
	! "$viewer" --headless --config '' --script script run.orr >out 2>&1 ||
	    fail "$words is taken"
	says out 'pace wants user'
done
