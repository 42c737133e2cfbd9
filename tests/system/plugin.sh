#!/bin/sh
# Plug-ins of the viewer: a metric and a view of one's own show what the events
# say, and one that crashes, hangs, draws nonsense or is of another version
# costs its view a sentence, and nothing else.
. tests/lib.sh

command -v python3 >/dev/null || skip "no python3"
viewer=$BUILD/viewer/viewer
plugins=$BUILD/examples/plugins
bad=$BUILD/tests/plugins/bad.so
for p in "$viewer" "$BUILD/tests/bench/makelog" "$plugins/pulse.so" "$bad"; do
	[ -e "$p" ] || skip "no $p"
done
cd "$dir" || exit 1
"$BUILD/tests/bench/makelog" run.orr >/dev/null || fail "makelog"

# what the events say, by brute force
"$monitorctl" dump run.orr >dumped || fail "dump"
"$viewer" --plugin "$plugins/waitsum.so" --view waitsum --describe run.orr \
    >waits || fail "waitsum ends with $?"
"$viewer" --plugin "$plugins/pulse.so" --view pulse --size 640x400 \
    --range 10ms:20ms --snapshot pulse.png --describe run.orr >pulse ||
    fail "pulse ends with $?"
[ -s pulse.png ] || fail "no picture"
# two views of one file, each with a word of its own
for w in lock message; do
	"$viewer" --plugin "mine=$plugins/waitsum.so,$w" --plugin "$plugins/waitsum.so" \
	    --view mine --describe run.orr >"$w" || fail "$w ends with $?"
	says "$w" "^  opened with: $w"
done
python3 "$tests/tools/plugin.py" dumped waits lock message pulse "$tests/../proto/events.def" ||
    fail "not what the events say"

# bad WHAT PATTERN
bad() {
	BAD=$1 "$viewer" --plugin "$bad" --view bad --describe run.orr >out 2>err ||
	    fail "with one that is bad ($1) the viewer ends with $?"
	says out "$2"
	says out '^events: 8497'
}
bad begin '^plug-in bad: it says it cannot begin'
bad crash '^plug-in bad: it has (crashed: Segm|ended itself, with 1$)'
bad hang '^plug-in bad: it has computed for a second without an answer'
bad exit '^plug-in bad: it has ended itself, with 3'
bad nan '^plug-in bad: it says that x is no finite number'
bad colour '^plug-in bad: it wants colour 4711'
bad much '^plug-in bad: it draws more than 16384 things'
bad nowhere '^odd .x80.x1b.2J'
bad write "^plug-in bad: it writes into what is not its own"
bad close '^plug-in bad: it has (ended|closed)'
bad version '^plug-in bad: it was made for version 17 .* has 1'

# in a window: by a command, as a tab, by a word as of its buttons; one that
# hangs while a script goes on, and starts again
cat >script <<END
wait read
plugin $plugins/pulse.so
wait frame 2
export before.png
say pulse finer
export after.png
say pulse coarser
say pulse coarser
say pulse finer
export again.png
plugin $bad
put bad alone
plugin bad
put bad left
plugin-close bad
refused plugin-close bad
refused plugin-close lanes
plugin one=$plugins/waitsum.so,lock
plugin two=$plugins/waitsum.so,message
plugin three=$plugins/waitsum.so
refused plugin four=$plugins/waitsum.so
put one left
put two right
describe
plugin two=$plugins/waitsum.so,lock
put two alone
describe
plugin-close
plugin-close one
plugin-close three
plugin again=$plugins/waitsum.so,message,lock
tab again
describe
plugin-close again
describe
refused plugin =x.so
refused plugin too_long_a_name_for_a_view=$plugins/waitsum.so
refused plugin pulse=$plugins/waitsum.so
refused plugin $dir/none.so
refused plugin $dir/dumped
refused say nobody word
quit
END
BAD=crash "$viewer" --headless --config '' --size 900x600 --script script \
    run.orr >out 2>err || { cat out err; fail "the script ends with $?"; }
cmp -s before.png after.png && fail "its button does nothing"
cmp after.png again.png || fail "a word that is said while it draws is lost"
says out 'none.so: No such file'
says out 'say wants the name of a plug-in'
# several of one file, each with its words; one goes, others stay as they are
opened() { sed -n 's/^  opened with: //p; s/^views: //p' out | tr '\n' '|'; }
is="lock|message|left one, right two, dock three|lock|lock|left one, right two, dock three|"
is="${is}message,lock|left Functions, right Lanes, dock again|left Functions, right Lanes, dock Tree|"
[ "$(opened)" = "$is" ] || fail "views of one file: $(opened)"
[ "$(grep -c "^plugin-close wants the name of a plug-in's view$" out)" = 2 ] || fail "closed twice"
says out 'waitsum.so: 4 plug-ins are all there can be'
says out '^=x.so: No such file'
says out '^too_long_a_name.*: expected FILE.so, NAME=FILE.so'
says out 'a view has the name pulse: say another, as in mine='
ends_saying 66 'none.so: No such file' "$viewer" --plugin none.so --describe run.orr
ends_saying 64 'at most 4' "$viewer" --plugin a --plugin b --plugin c --plugin d --plugin e
ends_saying 64 'nothing: expected' "$viewer" --plugin "$bad" --view nothing --describe run.orr
cp "$bad" lanes.so
ends_saying 66 'a view has the name lanes' "$viewer" --plugin lanes.so --describe run.orr
for p in $(ours); do
	! grep -qsa -e --plugin-host "/proc/$p/cmdline" || fail "$p is left"
done
echo "two plug-ins show what is so, several times; eleven bad ones are told"
