#!/bin/sh
# monitorctl program: files, functions, classes, libraries and calls of a
# program are what the compiler, nm and readelf say; of a log it says how often
# each function was called, and which were not; the viewer, from which lines.
set -u
cd "$(dirname "$0")/../.."
. tests/lib.sh
command -v python3 >/dev/null || skip "no python3"
command -v c++ >/dev/null || skip "no c++"
c++ -O1 -g -no-pie -finstrument-functions -finstrument-functions-exclude-file-list=/usr/include \
    -o "$dir/made" tests/apps/functions/made.cc || fail "cannot make the program"
"$dir/made" tell >"$dir/compiler"
nm -CS --defined-only "$dir/made" >"$dir/nm"
readelf -dnW "$dir/made" >"$dir/readelf"
"$monitorctl" program --json "$dir/made" >"$dir/json" || fail "program ended with $?"
"$monitorctl" program --yaml "$dir/made" >"$dir/yaml" || fail "program ended with $?"
cat >"$dir/holds.py" <<'END'
import json, re, sys
d = sys.argv[1]
text = lambda name: open(f"{d}/{name}").read()
p, = json.load(open(f"{d}/json"))["programs"]
functions = {f["name"]: f for f in p["functions"]}
types = {t["name"]: t for t in p["types"]}
source = open("tests/apps/functions/made.cc").read().split("\n")

def same(what, have, want):
    if have != want:
        sys.exit(f"{what}: {have}, not {want}")

same("build id", p["build_id"], re.search(r"Build ID: (\S+)", text("readelf"))[1])
same("libraries", p["libraries"], re.findall(r"NEEDED.*\[(.*)\]", text("readelf")))
for name, as_nm in (("main", "main"), ("never", "never(Either, char const*, ...)"),
        ("Square::area", "Square::area() const")):
    at, size = re.search(r"^(\S+) (\S+) \S " + re.escape(as_nm) + "$", text("nm"), re.M).groups()
    f = functions[name]
    same(name, (f["address"], f["bytes"]), (int(at, 16), int(size, 16)))
    same(f"{name}, source", source[f["last"] - 1], "}")
    same(f"{name}, name", name.split("::")[-1] + "(" in source[f["first"] - 1], True)
same("never", functions["never"]["signature"], "int never(Either e, const char *why, ...)")
same("main calls", {"Square::area", "never"} <= set(functions["main"]["calls"]), True)
for line in text("compiler").splitlines():
    name, size, *members = line.split()
    same(f"size of {name}", types[name]["bytes"], int(size))
    at = {m["name"]: m["at_bytes"] for m in types[name]["members"]}
    for member, offset in zip(members[::2], members[1::2]):
        same(f"{name}.{member}", at[member], int(offset))
members = {m["name"]: m for m in types["Shape"]["members"]}
same("access", (members["at"]["access"], members["edges"]["access"]), ("protected", "private"))
same("bases", types["Square"]["bases"], ["Shape"])
same("bits", [m["bits"] for m in types["Point"]["members"]], [0, 0, 0, 3, 5])
same("kinds", [types[n]["kind"] for n in ("Point", "Shape", "Either")], ["struct", "class", "union"])
same("a static one", [m["at_bytes"] for m in types["Square"]["members"] if m["name"] == "made"], [-1])
END
python3 "$dir/holds.py" "$dir" || fail "it is made of something else"

# without debug information, without symbols, and what is no program
strip --strip-debug -o "$dir/symbols" "$dir/made"
ends_saying 0 ' Square::area$' "$monitorctl" program "$dir/symbols"
says "$dir/out" 'there is no debug information'
strip -o "$dir/stripped" "$dir/made"
ends_saying 0 'libstdc' "$monitorctl" program "$dir/stripped"
head -c 3000 "$dir/made" >"$dir/cut"
"$monitorctl" program "$dir/cut" >"$dir/out" 2>&1
[ $? -lt 100 ] || fail "a file that is cut"
ends_with 65 "$monitorctl" program /etc/passwd
ends_with 66 "$monitorctl" program "$dir/nowhere"

# a run of it: who was called, and who never
case $BUILD in */san|*/tsan) echo "what it is made of"; exit 0 ;; esac
cluster 1 >"$dir/c.yaml"
start_monitord "$dir/c.yaml"
wait_for 10 "the node" nodes_ready 1
"$monitorctl" run "$dir/made" >"$dir/out" 2>"$dir/err" || fail "made ended with $?"
finish
"$monitorctl" program --json "$dir/run.orr" >"$dir/json"
python3 - "$dir" <<'END' || fail "other calls"
import json, sys
p, = json.load(open(sys.argv[1] + "/json"))["programs"]
called = {f["name"]: f["called"] for f in p["functions"]}
want = {"main": 1, "Square::area": 3, "never": 0}
if {n: called[n] for n in want} != want or p["processes"] != 1 or \
        p["commands"] != [sys.argv[1] + "/made"]:
    sys.exit(f"{called} {p['processes']} {p['commands']}")
END
ends_saying 0 '^  +- +[0-9]+-[0-9]+ +[0-9]+  int never' "$monitorctl" program "$dir/run.orr"

# from which lines they were called, as addr2line says of what the events have
"$monitorctl" dump --kind enter "$dir/run.orr" >"$dir/enters"
printf 'wait read\nput Source alone\nsource Square::area\ndescribe\n' |
    "$BUILD/viewer/viewer" --headless --no-cache --config '' --script - \
    "$dir/run.orr" >"$dir/described" 2>"$dir/err" || fail "viewer: $(cat "$dir/err")"
python3 - "$dir" <<'END' || fail "called from other lines"
import collections, re, subprocess, sys
d = sys.argv[1]
want = collections.Counter()
for at in re.findall(r" caller=(0x\w+) function=Square::area$", open(d + "/enters").read(), re.M):
    place = subprocess.run(["addr2line", "-s", "-e", d + "/made", hex(int(at, 16) - 1)],
        stdout=subprocess.PIPE, text=True, check=True).stdout.split()[0]
    want[place] += 1
have = {at: int(n) for at, n in re.findall(r"^    at .* in \S*?([^/ ]+:\d+): (\d+) calls in the run$",
    open(d + "/described").read(), re.M)}
if have != want or sum(want.values()) != 3:
    sys.exit(f"{have}, not {dict(want)}")
END
mv "$dir/made" "$dir/away"
ends_saying 0 '^not known .*cannot be read' "$monitorctl" program "$dir/run.orr"
says "$dir/out" '^ +3  Square::area  .*made.cc:[0-9]'
echo "what programs are made of"
