#!/bin/sh
# The view Classes: what lies in structs and classes is what the compiler says,
# what they have and whose functions they are is what the source says, and the
# time of those is what the log says; of files that are not there it says so.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
case $BUILD in */san|*/tsan) skip "libprobe-auto.so is not for sanitized programs" ;; esac
command -v python3 >/dev/null || skip "no python3"
command -v c++ >/dev/null || skip "no c++"
viewer=$BUILD/viewer/viewer
[ -x "$viewer" ] || skip "no $viewer"
cc=tests/apps/functions/classes.cc
c++ -O1 -g -pthread -finstrument-functions \
    -finstrument-functions-exclude-file-list=/usr/include,libprobe -Ilibprobe -o "$dir/made" $cc \
    -L"$BUILD" -lprobe -Wl,-rpath,"$BUILD" || fail "cannot make the program"

sample=
[ "$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo 9)" -gt 2 ] || sample="sample: 2000"
cluster 1 "$sample" >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$monitorctl" run --full wait "$dir/made" >"$dir/told" 2>"$dir/err" || fail "made ended with $?"
finish
python3 -B "$tests/tools/classes.py" "$BUILD" "$dir/run.orr" "$dir/told" $cc ||
    fail "classes are shown wrong"

# what their functions asked for, of a program that knows nothing of this
cp "$dir/run.orr" "$dir/made.orr"
c++ -O1 -g -fno-omit-frame-pointer -finstrument-functions -o "$dir/holds" tests/apps/functions/holds.cc || fail "cannot make holds"
rm "$dir/run.orr"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$monitorctl" run --memory all --full wait "$dir/holds" >"$dir/out" 2>"$dir/err" || fail "holds ended with $?"
finish
python3 -B "$tests/tools/classmemory.py" "$BUILD" "$dir/run.orr" || fail "memory of classes is shown wrong"
mv "$dir/made.orr" "$dir/run.orr"

# what cannot be known is said, and nothing else
describe() { "$viewer" --no-cache --describe --view classes "$dir/run.orr" >"$dir/out" || fail "viewer ends with $?"; }
strip --strip-debug --remove-section=.note.none -o "$dir/stripped" "$dir/made" && mv "$dir/stripped" "$dir/made"
describe
says "$dir/out" '^  program .*/made: 0 classes, no debug information$'
c++ -O2 -g -pthread -Ilibprobe -o "$dir/made" $cc -L"$BUILD" -lprobe || fail "cannot make another"
describe
says "$dir/out" '^  program .*: the file has another build id: it was built anew$'
head -c 3000 "$dir/made" >"$dir/cut" && mv "$dir/cut" "$dir/made"
describe
rm "$dir/made"
describe
says "$dir/out" '^  program .*: the file cannot be read'
says "$dir/out" '^classes: 0 of 0'
mkfifo "$dir/made"
describe
says "$dir/out" '^  program .*: the file cannot be read'
echo "what classes are"
