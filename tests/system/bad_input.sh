#!/bin/sh
# Each option of the four programs, each command of the viewer's scripts and
# each key of the cluster file, with a value that is empty, too long, out of
# range, not UTF-8 or of the wrong kind: one sentence, an exit code of
# sysexits, nothing changed.  What there is comes from --help and the manual.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v python3 >/dev/null || skip "no python3"
cp tests/golden/log-version-1 "$dir/good.orr"
TREE=$PWD
mkdir "$dir/here" && cd "$dir/here" || exit 70
mv ../good.orr . && printf 'nodes:\n  - name: a\n' >good.yaml && : >empty
unset DISPLAY
timeout 250 python3 "$TREE/tests/tools/bad_input.py" "$BUILD" "$TREE/docs"
