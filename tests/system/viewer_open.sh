#!/bin/sh
# `open FILE` shows another log in the place of this one: by its path, by its name
# beside it, out of the list; what is no log is refused and changes nothing.
. tests/lib.sh

viewer=$BUILD/viewer/viewer
makelog=$BUILD/tests/bench/makelog
for p in "$viewer" "$makelog"; do
	[ -x "$p" ] || skip "no $p"
done
mkdir "$dir/logs"
"$makelog" "$dir/logs/a.orr" >/dev/null && "$makelog" -n 20000 "$dir/logs/b.orr" >/dev/null ||
    fail "makelog"
echo nothing >"$dir/logs/c.txt"
echo nothing >"$dir/logs/d.orr"
touch -d 2001-01-01 "$dir/logs/a.orr" "$dir/logs/d.orr"
what() { # LOG: a figure of it
	"$viewer" --describe "$1" | grep -m1 '^events: '
}
a=$(what "$dir/logs/a.orr") b=$(what "$dir/logs/b.orr")
[ "$a" != "$b" ] && [ -n "$a" ] || fail "the two are alike: $a"

# shows SCRIPT: what of the two it has described, in order
shows() {
	printf '%b' "$1" >"$dir/script"
	"$viewer" --headless --config '' --script "$dir/script" "$dir/logs/a.orr" >"$dir/out" 2>"$dir/said" ||
	    { cat "$dir/said"; fail "the script ends with $?"; }
	awk -v a="$a" -v b="$b" '$0 == a { printf "a" } $0 == b { printf "b" }' "$dir/out"
}
[ "$(shows "wait read\ndescribe\nopen $dir/logs/b.orr\nwait read\ndescribe\n")" = ab ] || fail "by its path"
[ "$(shows 'wait read\nopen b.orr\nwait read\ndescribe\nopen a.orr\nwait read\ndescribe\n')" = ba ] ||
    fail "by its name, and back"
# the list has the newest first
[ "$(shows 'wait read\nlogs\nkey Down\nkey Return\nwait read\ndescribe\n')" = b ] || fail "the list"
[ "$(shows 'wait read\nrefused open none.orr\nrefused open c.txt\nrefused open d.orr\ndescribe\n')" = a ] ||
    fail "what is none"
says "$dir/out" '^none.orr: '
says "$dir/out" '^c.txt: '
says "$dir/out" '^d.orr: '
