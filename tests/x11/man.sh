#!/bin/sh
# The manual page has the keys and commands that the program has.
set -u
. "$(dirname "$0")/lib"
cp docs/viewer.1 "$dir/viewer.1"
sh docs/protodoc.sh "$viewer --print" "$dir/viewer.1" || fail "no lists"
diff docs/viewer.1 "$dir/viewer.1" ||
    fail "run: sh docs/protodoc.sh '$viewer --print' docs/viewer.1"
"$viewer" --help | sed -n 's/^  --\([a-z-]*\) .*/\1/p' >"$dir/options"
while read -r o; do
	grep -q "Fl -$o" docs/viewer.1 || fail "--$o is not in the manual"
done <"$dir/options"
"$viewer" --frobnicate 2>"$dir/err"
[ $? = 64 ] || fail "an unknown option is not 64"
[ "$(wc -l <"$dir/err")" = 1 ] || fail "not one line"
"$viewer" --snapshot "$dir/x.png" "$dir/nothing.orr" 2>"$dir/err"
[ $? = 66 ] || fail "no file is not 66"
echo "not a log" >"$dir/no.orr"
"$viewer" --snapshot "$dir/x.png" "$dir/no.orr" 2>"$dir/err"
[ $? = 65 ] || fail "a file that is no log is not 65"
"$viewer" --headless "$dir/no.orr" 2>"$dir/err"
[ $? = 65 ] || fail "a file that is no log, with a window, is not 65"
"$makelog" -n 1000 "$dir/run.orr" >/dev/null || fail "makelog"
for how in "--snapshot $dir/x.png" --headless; do
	"$viewer" $how "$dir/run.orr" "$dir/no.orr" 2>"$dir/err"
	[ $? = 65 ] || fail "a second file that is no log is not 65 ($how)"
	"$viewer" $how "$dir/run.orr" "$dir/nothing.orr" 2>"$dir/err"
	[ $? = 66 ] || fail "no second file is not 66 ($how)"
	[ "$(wc -l <"$dir/err")" = 1 ] || fail "not one line ($how)"
done
echo ok
