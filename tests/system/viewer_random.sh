#!/bin/sh
# Thousands of random keys, clicks, drags, sizes and commands: the viewer does
# not crash, hang or write outside of its memory (this runs under ASan, too).
# OPS=10000 SEED=n: another length, another series.
set -u
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
viewer=$BUILD/viewer/viewer
makelog=$BUILD/tests/bench/makelog
[ -x "$viewer" ] && [ -x "$makelog" ] || { echo "needs viewer and makelog"; exit 77; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/orrery-random.XXXXXX")
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export ORRERY_DIR="$dir"
cd "$dir" || exit 1
"$makelog" -d -n 20000 run.orr >/dev/null || { echo "FAIL: makelog"; exit 1; }
awk -v ops="${OPS:-400}" -v seed="${SEED:-1}" '
function r(n) { return int(rand() * n) }
function one(list,   v, n) { n = split(list, v, " "); return v[1 + r(n)] }
function place() { return (r(1700) - 50) " " (r(1100) - 50) }
function time_() { return (r(80000) - 5000) "us" }
BEGIN {
	srand(seed)
	keys = "w s a d Up Down Left Right Page_Up Page_Down Home End f 0 [ ] space l k K v , . < > 1 2 3 4 5 6 7 8 9 j b c Return BackSpace shift+BackSpace m r i o g Tab shift+Tab t p x X h F y u / : ctrl+p ctrl+f n N ? F1 Escape ctrl+Up ctrl+Down ctrl+Left ctrl+Right M Delete T ctrl+c"
	plain = "zoom-in zoom-out fit fit-all back forward pause live play fast-forward start end skip-back skip-forward step-back step-forward next-state previous-state speed fold pin hide show-all sort level rows next-row previous-row cursor clear links grid theme tab next previous marker unmark next-marker previous-marker reroot up reset-tree cycle-colour copy help prompt"
	print "limit 60s\nwait read"
	for (i = 0; i < ops; i++) {
		k = r(16)
		if (k < 5) print "key " one(keys)
		else if (k == 5) print "click " place() " " (1 + r(3)) " " r(4)
		else if (k == 6) print "drag " place() " " place() " " (1 + r(3)) " " r(4)
		else if (k == 7) print "wheel " place() " " (r(2) * 2 - 1) " " r(4)
		else if (k == 8) print "move " place()
		else if (k == 9) print "try " one(plain)
		else if (k == 10) print "try " one("range select-range") " " time_() ":" time_()
		else if (k == 11) print "try " one("seek cursor marker query") " " time_()
		else if (k == 12) print "try " one("fold pin hide select-row select-task step-forward step-back goto-marker unmark") " " r(300)
		else if (k == 13) print "try " one("filter search marker tab sort level lanes colour theme prompt split speed centre") " " one("PE drone n1 merge x -1 999999999999 Stacks Spans busy name . time 0.5")
		else if (k == 14) print "doubleclick " place()
		else if (r(6) == 0) print "size " (64 + r(1600)) "x" (64 + r(1000))
		else print "type " one("ab fil 5ms task")
	}
	print "key Escape\nkey Escape\ntry end\nsize 900x600\ndescribe\nquit"
}' >script
ASAN_OPTIONS=${ASAN_OPTIONS:-} timeout "${LIMIT:-600}" "$viewer" --headless \
    --script script --state-fd 3 run.orr 3>state >out 2>err
code=$?
[ $code = 0 ] || {
	echo "FAIL: ends with $code after $(wc -l <state) frames (SEED=${SEED:-1})"
	tail -n 15 err
	[ -z "${KEEP:-}" ] || cp script run.orr "$KEEP"
	exit 1
}
[ ! -s err ] || { echo "FAIL: it had something to say"; head -n 5 err; exit 1; }
grep -q '^process-time view' out || { echo "FAIL: nothing described"; exit 1; }
echo "${OPS:-400} operations, $(wc -l <state) frames"
