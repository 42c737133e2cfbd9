#!/bin/sh
# Each view has a legend, whose colours are all drawn in some picture of it: of
# an instant at which everything goes on, of doubts, of two runs side by side.
. tests/lib.sh

viewer=$BUILD/viewer/viewer
everything=$BUILD/tests/tools/everything
makelog=$BUILD/tests/bench/makelog
command -v python3 >/dev/null || skip "no python3"
for p in "$viewer" "$everything" "$makelog"; do
	[ -x "$p" ] || skip "no $p"
done
cd "$dir" || exit 1
command -v c++ >/dev/null || skip "no c++"
# names of the log have lines from 11 on: they are in this function
{
	echo "struct pawn { char c; long n; pawn *next; };"
	echo "struct board { pawn first; pawn *taken; };"
	echo "struct queen : pawn { board *on; };"
	echo "long compute(pawn *p, board *, queen *) {"
	seq -f 'p->n += %.0f;' 50
	echo "return p->n; }"
} >prog.cc
c++ -O0 -g -shared -fPIC -o prog.so prog.cc || fail "cannot make the program"
"$everything" all.orr "$dir/prog.so" || fail "everything"
"$makelog" -d made.orr >/dev/null || fail "makelog"
for i in $(seq 60); do
	echo "int line$i = $i; /* a comment */ compute(); ask(); leaf(); transfer();"
done >prog.c

"$viewer" --print views | sed -n 's/^\.It Cm //p' >names
[ "$(wc -l <names)" -ge 9 ] || fail "only these views: $(cat names)"

n=0
# picture VIEW [COMMAND ...]: what makes one, and its legend, in words
picture() {
	v=$1
	shift
	for command; do echo "$command"; done
	n=$((n + 1))
	case $v in
	Lanes) size=800x900 ;;
	Found|Locks|Compare) size=1400x400 ;;
	*) size=800x500 ;;
	esac
	# words first: they are of all, whatever that takes
	printf 'put %s left\ndescribe\nsnapshot %s-%d.png %s %s\n' "$v" \
	    "$(echo "$v" | tr A-Z a-z)" $n "$v" $size
	case $v in Lanes|Tree) # lines are thinner than a pixel
		printf 'export %s-%d.svg %s\n' "$(echo "$v" | tr A-Z a-z)" $n "$v" ;;
	esac
}

# pictures LOG...: by the commands of a script
pictures() {
	{ printf 'limit 60s\nwait read\nwait frame 3\n'; cat; echo quit; } >script
	"$viewer" --headless --config '' --size 1000x700 --script script "$@" \
	    >>words 2>&1 || fail "viewer ends with $?: $(tail -n 3 words)"
}

{
	echo "cursor 500us"
	while read -r name; do
		[ "$name" = Compare ] || picture "$name"
	done <names
	picture Lanes "lanes state" "annotate 100us:150us a note" \
	    "annotate 300us:400us the chosen one" "marker 200us"
	picture Tree "select-task 0"
	picture Tree "select-task 1"
	picture Tree "colour PE-time"
	for part in now queues traffic; do
		picture Communication "communication $part" "communication threads"
	done
	picture Communication "communication now" "communication POs"
	for part in radar meters speed count portrait; do
		picture Activity "activity $part"
	done
	for row in 4 22 29 35; do # lanes: runs, many, its calls, an object
		picture Spans "select-row $row"
	done
	picture Counters "select-row 4"
	picture Stacks
	for row in 0 1 2 3; do # the process is one of them
		picture States "select-row $row"
		picture Top "top PO" "select-row $row"
	done
	picture Waits "select-row 7"
	picture Machine "communication threads" "machine-shape ring"
	picture Found "find > 1us < 100us" "found 1"
	picture Locks "locks place"
	picture Locks "locks lock" "select-row 36"
	picture Source "source compute"
	picture Classes "classes pawn"
	picture Memory "select-range 100us:300us"
	picture Notes "goto-annotation 1" # selects its range
} | pictures all.orr
{
	picture Details
	picture Details "select-row 0"
	picture Lanes "fit-all"
	picture Tree
	picture Activity
	picture Path
	picture Top
} | pictures made.orr
picture Compare | pictures all.orr made.orr
python3 -B "$tests/tools/legends.py" names words ./*.png ./*.svg >wrong ||
    fail "$(cat wrong)"
echo "each of $(wc -l <names) views has a legend, all of it is drawn"
