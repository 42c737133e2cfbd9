#!/bin/sh
# A large finished log is there at once when it is opened again, as it was, and
# details are read from it where somebody looks; what is kept of another log, or
# damaged, is no matter.
set -u
. "$(dirname "$0")/lib"

events=2100000
"$makelog" -n $events -r 16 "$dir/run.orr" >/dev/null || fail "makelog"

# look PREFIX OPTIONS...: everything, a part in detail, and what is said of it
look() {
	name=$1
	shift
	start_viewer --headless "$@" "$dir/run.orr"
	say wait read
	say wait frame
	say "export $dir/$name-tree.png radial"
	say "range 20.0ms:20.2ms"
	say wait known
	say wait frame
	say "export $dir/$name-part.png process-time"
	wait_for 60 "picture $name" test -s "$dir/$name-part.png"
	say quit
	gone
	[ $code = 0 ] || fail "$name ends with $code"
}
# same PREFIX PREFIX
same() {
	for what in tree part; do
		cmp "$dir/$1-$what.png" "$dir/$2-$what.png" ||
		    fail "$2: another picture ($what)"
	done
}

look plain --no-cache
[ ! -d "$dir/cache" ] || fail "--no-cache keeps something"
look first
same plain first
kept=$(echo "$dir"/cache/orrery/*.view)
[ -s "$kept" ] || skip "nothing can be kept here (address space taken)"
was=$(stat -c %Y-%s-%i "$kept")
look second
same plain second
[ "$was" = "$(stat -c %Y-%s-%i "$kept")" ] || fail "it was written again"
grep -q ' known=0 ' "$dir/state" || fail "it was read, not taken from there"

# damaged: read again, and kept again
printf x | dd of="$kept" bs=1 seek=100000 conv=notrunc 2>/dev/null
look third
same plain third
[ "$was" != "$(stat -c %Y-%s-%i "$kept")" ] || fail "it was not written anew"

# another log of the same run
"$makelog" -n $((events + 1000)) -r 16 "$dir/run.orr" >/dev/null
rm -f "$dir"/*.png
look other --no-cache
look fourth
same other fourth
echo ok
