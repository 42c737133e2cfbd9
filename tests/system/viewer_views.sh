#!/bin/sh
# Every view of the table by its name: a picture of it alone, the same in
# words, and a window that begins with it; no view is like another.
. tests/lib.sh

viewer=$BUILD/viewer/viewer
makelog=$BUILD/tests/bench/makelog
for p in "$viewer" "$makelog"; do
	[ -x "$p" ] || skip "no $p"
done
cd "$dir" || exit 1
"$makelog" run.orr >/dev/null || fail "makelog"
cp run.orr other.orr
"$viewer" --print views | sed -n 's/^\.It Cm //p' >names
"$viewer" --help | sed '1,/^Views/d; s/^  \([A-Za-z]*\) .*/\1/' >listed
cmp names listed || fail "--help and the manual list other views"
[ "$(wc -l <names)" -ge 9 ] || fail "only these views: $(cat names)"

# what is said of the run, whatever the view
"$viewer" --describe --view Lanes run.orr | sed '/^process-time/,$d' >of_run
# times count from the same start as those of monitorctl, or are the day's
"$monitorctl" dump run.orr >dump || fail "dump"
grep -qx "begins: $(head -n 1 dump | tr -d . | sed 's/ .*//; s/^0*\(.\)/\1/') ns" of_run ||
    fail "dump and viewer: $(head -n 1 dump), $(grep begins of_run)"
grep -qx 'started: 2001-09-09 01:46:40 UTC' of_run || fail "no date"
"$monitorctl" dump --utc --to 1 run.orr >dump || fail "dump --utc"
says dump '^2001-09-09T01:46:40\.[0-9]{9}Z n0/3'
while read -r name; do
	log=run.orr
	[ "$name" != Compare ] || log="run.orr other.orr"
	lower=$(echo "$name" | tr A-Z a-z)
	"$viewer" --view "$lower" --size 700x500 --snapshot "$name.png" \
	    --describe $log >words || fail "--view $lower ends with $?"
	[ -s "$name.png" ] || fail "no picture of $name"
	head -n "$(wc -l <of_run)" words | cmp - of_run || fail "$name: of the run"
	sed "1,$(wc -l <of_run)d" words >"$name.txt"
	[ -s "$name.txt" ] || fail "no words about $name"
	# a window, and the same picture out of it, also drawn again
	printf 'limit 20s\nwait read\nwait frame 3\nexport %s.again.png %s\nquit\n' "$name" \
	    "$lower" | "$viewer" --headless --config '' --view "$name" \
	    --size 700x500 --script - --state-fd 3 $log 3>state >/dev/null ||
	    fail "a window with $name ends with $?"
	tail -n 1 state | tr ' ' '\n' >last
	grep -qx alone=1 last || fail "$name does not begin alone"
	grep -Eqx "(left|right|tab)=$name" last || fail "$name is not in sight"
	cmp "$name.png" "$name.again.png" || fail "$name: another picture"
done <names
[ "$(sha256sum ./*.txt | cut -c1-64 | sort -u | wc -l)" = "$(wc -l <names)" ] ||
    fail "two views have the same words"
ls ./*.png | grep -v again | xargs sha256sum | cut -c1-64 | sort -u >pictures
[ "$(wc -l <pictures)" = "$(wc -l <names)" ] ||
    fail "two views have the same picture"

# other names, and none
"$viewer" --view radial --size 700x500 --describe run.orr | sed "1,$(wc -l <of_run)d" | cmp - Tree.txt ||
    fail "radial is not the tree"
ends_saying 64 'compare.*two runs' "$viewer" --view compare --describe run.orr
ends_saying 73 'ends in .png' "$viewer" --view stacks --snapshot x.svg run.orr
ends_with 0 "$viewer" --view lanes --snapshot x.svg run.orr
echo "each of $(wc -l <names) views, by its name"
