#!/bin/sh
# viewer --index: the first look at a finished log is at once, and shows what
# reading it would.  What was done is left as it is, each log stands for itself,
# images of logs that are gone go, and nothing is left by one that was killed.
set -u
BUILD=${BUILD:-build}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
viewer=$BUILD/viewer/viewer
makelog=$BUILD/tests/bench/makelog
golden=$PWD/tests/golden/log-version-1
[ -x "$viewer" ] && [ -x "$makelog" ] || { echo "needs viewer and makelog"; exit 77; }
dir=$(mktemp -d "${TMPDIR:-/tmp}/orrery-index.XXXXXX")
. tests/hurry.sh
trap 'rm -rf "$dir"' EXIT
trap 'exit 130' INT TERM
export ORRERY_DIR="$dir" XDG_CACHE_HOME="$dir/cache" XDG_CONFIG_HOME="$dir"
cd "$dir" || exit 1
fail() { echo "FAIL: $*"; [ ! -s err ] || cat err; exit 1; }

"$makelog" -n 60000 -r 12 run.orr >/dev/null || fail makelog

# index CODE PATTERN LOG...: says that, on stdout when all is well
index() {
	want=$1 pattern=$2
	shift 2
	[ "$1" = --alone ] && shift || set -- --index "$@"
	"$viewer" "$@" >out 2>err </dev/null
	got=$?
	[ $got = "$want" ] || fail "$*: exit $got, should be $want"
	cat out err | grep -q "$pattern" || fail "$*: not '$pattern'"
	[ "$want" = 0 ] || [ "$(wc -l <err)" = 1 ] || fail "says too much"
}
# look NAME OPTIONS...: a picture of the tree, one of a part, and the state
look() {
	name=$1
	shift
	{
		echo "wait read"
		echo "wait frame"
		echo "export $name-tree.png radial"
		echo "range 20ms:20.2ms"
		echo "wait known"
		echo "wait frame"
		echo "export $name-part.png process-time"
		echo quit
	} | "$viewer" --headless --script - --state-fd 3 "$@" run.orr \
	    3>"$name-state" 2>err || fail "look $name"
}

look read --no-cache
index 0 "events in .* kept" run.orr
kept=$(echo cache/orrery/*.view)
[ -s "$kept" ] || fail "nothing is kept"
[ "$(readlink cache/orrery/*.log)" = "$(pwd -P)/run.orr" ] ||
    fail "it does not say of which log it is"
was=$(stat -c %Y-%s-%i "$kept")
index 0 "kept already" run.orr
[ "$was" = "$(stat -c %Y-%s-%i "$kept")" ] || fail "it was written again"
look kept
cmp read-part.png kept-part.png || fail "another picture of a part"
cmp read-tree.png kept-tree.png || fail "another picture of the tree"
grep -q ' known=0 ' kept-state || fail "it was read, not taken from there"

# a log that was moved is the same one
mv run.orr moved.orr
ln moved.orr run.orr
rm moved.orr
mkdir elsewhere
mv run.orr elsewhere/run.orr
index 0 "kept already" elsewhere/run.orr

# each for itself: what fails is told, the others are done
head -c $(($(wc -c <elsewhere/run.orr) / 2)) elsewhere/run.orr >half.orr
index 65 "half.orr: is not finished" half.orr
index 66 "nothere.orr: No such file" nothere.orr elsewhere/run.orr
grep -q "kept already" out || fail "the second was not looked at"

# where nothing can be written
XDG_CACHE_HOME=/proc index 73 "cannot be kept as" elsewhere/run.orr

# its head is damaged: made anew
printf x | dd of="$kept" bs=1 seek=40 conv=notrunc 2>/dev/null
index 0 "events in .* kept" elsewhere/run.orr
[ "$was" != "$(stat -c %Y-%s-%i "$kept")" ] || fail "it was not written anew"

# in the background: it returns, and the image comes; of a log that vanishes
# meanwhile none does, or one that goes with the others
rm "$kept"
"$viewer" --index --background elsewhere/run.orr >out 2>err || fail "background"
[ ! -s out ] && [ ! -s err ] || fail "it is not silent"
limit=3000
until hurry; [ -s "$kept" ]; do
	limit=$((limit - 1))
	[ $limit -gt 0 ] || fail "nothing came from the background"
	sleep 0.02
done
index 0 "kept already" elsewhere/run.orr
index 66 "nothere.orr: No such file" --background nothere.orr
index 64 "background is for --index" --alone --background

# the log is gone: its image goes, though not on the same day
rm elsewhere/run.orr
index 0 kept "$golden"
[ -s "$kept" ] || fail "an image went with its log at once"
touch -a -d "2 days ago" "$kept"
rm -f "$(echo cache/orrery/*.view | tr ' ' '\n' | grep -v "$kept")"
index 0 "events in .* kept" "$golden"
[ ! -e "$kept" ] || fail "the image of a log that is gone stays"
[ "$(ls cache/orrery | grep -cvx secret)" = 2 ] || fail "more is left: $(ls cache/orrery)"
echo ok
