#!/bin/sh
# A large finished log is there at once when it is opened again, as it was, and
# details are read from it where somebody looks; what is kept of another log, or
# damaged, is no matter.
set -u
. "$(dirname "$0")/lib"

events=2100000
"$makelog" -n $events -r 16 "$dir/run.orr" >/dev/null || fail "makelog"

look() { look_at 20.0ms:20.2ms "$@"; }

look plain --no-cache
[ ! -d "$dir/cache" ] || fail "--no-cache keeps something"
look first
same_look plain first
kept=$(echo "$dir"/cache/orrery/*.view)
[ -s "$kept" ] || skip "nothing can be kept here (address space taken)"
was=$(stat -c %Y-%s-%i "$kept")
look second
same_look plain second
[ "$was" = "$(stat -c %Y-%s-%i "$kept")" ] || fail "it was written again"
grep -q ' known=0 ' "$dir/state" || fail "it was read, not taken from there"

# damaged: read again, and kept again
printf x | dd of="$kept" bs=1 seek=100000 conv=notrunc 2>/dev/null
look third
same_look plain third
[ "$was" != "$(stat -c %Y-%s-%i "$kept")" ] || fail "it was not written anew"

# another log of the same run
"$makelog" -n $((events + 1000)) -r 16 "$dir/run.orr" >/dev/null
rm -f "$dir"/*.png
look other --no-cache
look fourth
same_look other fourth
echo ok
