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
python3 "$tests/tools/plugin.py" dumped waits pulse "$tests/../proto/events.def" ||
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
ends_saying 66 'none.so: No such file' "$viewer" --plugin none.so --describe run.orr
ends_saying 64 'at most 4' "$viewer" --plugin a --plugin b --plugin c --plugin d --plugin e
ends_saying 64 'nothing: expected' "$viewer" --plugin "$bad" --view nothing --describe run.orr
cp "$bad" lanes.so
ends_saying 66 'a view has the name lanes' "$viewer" --plugin lanes.so --describe run.orr
for p in $(ours); do
	! grep -qsa -e --plugin-host "/proc/$p/cmdline" || fail "$p is left"
done
echo "two plug-ins show what is so; eleven bad ones are told"
