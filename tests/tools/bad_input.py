#!/usr/bin/env python3
"""Bad values for every option, command and key; see tests/system/bad_input.sh.

Whatever is not said to be fine below must be refused: a new option needs a
line here only where a value that looks bad is not."""
import os
import re
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

BUILD, DOCS = sys.argv[1:3]
PROGRAM = {p: f"{BUILD}/{d}/{p}" for p, d in (("monitord", "monitord"),
    ("collector", "collector"), ("monitorctl", "tools"), ("viewer", "viewer"))}

BAD = {"empty": b"", "long": b"x" * 70000, "not UTF-8": b"n\xff\xfe",
    "range": b"99999999999999999999999", "kind": b"no such thing?"}
TEXT = {"range", "kind"}  # these are fine where any text is

# What is refused only when it is used, or means something: why.
FINE = {
    # names and paths may be any text
    "collector --name": {"range"},
    "collector --dir": TEXT, "collector --spool": TEXT,
    "collector --socket": TEXT,
    "monitord --dir": TEXT, "monitord --log": TEXT, "monitord --name": TEXT,
    "viewer --config": TEXT | {"empty"},  # "" for nowhere
    "monitorctl refit -o": TEXT, "monitorctl export -o": TEXT,
    "monitorctl import -o": TEXT, "viewer --snapshot": TEXT,
    "viewer --source-path": TEXT, "viewer --editor": TEXT,
    # of nodes, programs and threads that may come
    "monitorctl probe --node": TEXT, "monitorctl probe --program": TEXT,
    "monitorctl probe --thread": TEXT,
    # a program runs whether or not it is watched, and it is said why not
    "monitorctl run --node": set(BAD),
}

# What comes after or before the option, {} is the option with its value.
USUAL = {
    "monitord": ["-n", "{}", "good.yaml"],
    "collector": ["--name", "a", "{}"],
    "viewer": ["--describe", "{}", "good.orr"],
    "viewer --connect": ["--headless", "--script", "empty", "{}"],
    "viewer --display": ["{}", "good.orr"],
    "viewer --print": ["{}"],
    "viewer --snapshot": ["{}", "good.orr"],
    "viewer --script": ["--headless", "{}", "good.orr"],
    "monitorctl": ["{}", "status"],
    "monitorctl status": ["{}"],
    "monitorctl who": ["{}"],
    "monitorctl run": ["{}", "true"],
    "monitorctl probe": ["{}", "+all"],
    "monitorctl export": ["--format", "csv", "{}", "good.orr"],
    "monitorctl export --format": ["{}", "good.orr"],
    "monitorctl measure": ["{}", "true"],
    "monitorctl query": ["{}", "good.orr", "SELECT 1"],
    "monitorctl query --file": ["{}", "good.orr"],
    "monitorctl import": ["{}", "-o", "made.orr", "good.orr"],
    "monitorctl import -o": ["{}", "good.orr"],
}
for command in "dump report check past future refit".split():
    USUAL[f"monitorctl {command}"] = ["{}", "good.orr"]


def usual(what):
    while what not in USUAL:
        what = what.rpartition(" ")[0]
    return USUAL[what]


def options():
    """(program, command, option, how a value is joined to it)"""
    for p in PROGRAM:
        text = subprocess.run([PROGRAM[p], "--help"], capture_output=True,
            text=True).stdout
        command = None
        for line in text.split("\n"):
            if p == "monitorctl" and re.match(r"  [a-z]", line):
                command = line.split()[0]
            if command and line.startswith(" "):  # not what it is for
                for m in re.finditer(r"[ [](--?[a-z-]+)(\[=| )[A-Za-z]", line):
                    yield p, command, m[1], "=" if "=" in m[2] else " "
            elif m := re.match(r"  (--[a-z-]+) [A-Za-z]", line):
                yield p, None, m[1], " "


def in_sources(folders, pattern):
    """What the tables of the programs have, of which help must tell."""
    for folder in folders.split():
        for where, below, names in os.walk(f"{DOCS}/../{folder}"):
            for name in names:
                if name.endswith(".c"):
                    with open(f"{where}/{name}") as f:
                        yield from re.findall(pattern, f.read())


def files():
    return {f: (os.lstat(f).st_size, os.lstat(f).st_mtime_ns) for f in
        sorted(os.listdir("."))}


failed = []


def wrong(what, why, said=b""):
    failed.append(what)
    print(f"{what}: {why}")
    if said:
        print("    " + repr(said[:300]))


def sentence_ok(what, said):
    """One line, of words that a terminal can be trusted with."""
    try:
        text = said.decode()
    except UnicodeDecodeError:
        return wrong(what, "says what is no UTF-8", said)
    lines = text.strip("\n").split("\n")
    if len(lines) != 1 or not lines[0].strip():
        wrong(what, f"says {len(lines)} lines", said)
    elif len(text) > 1100:
        wrong(what, f"says {len(text)} characters", said)
    elif any(ord(c) < 32 or 127 <= ord(c) < 160 for c in text.strip("\n")):
        wrong(what, "says control characters", said)


def refused(what, argv, said_in=None):
    place = tempfile.mkdtemp(dir="..")
    env = dict(os.environ, ORRERY_DIR=os.path.abspath(place))
    p = subprocess.Popen(argv, stdin=subprocess.DEVNULL, env=env,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
        cwd=place if argv[0] == PROGRAM["collector"].encode() else None)
    try:
        out, err = p.communicate(timeout=5)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.communicate()
        return wrong(what, "is taken")
    r = subprocess.CompletedProcess(argv, p.returncode, out, err)
    if not 64 <= r.returncode <= 78:
        return wrong(what, f"ends with {r.returncode}", r.stderr + r.stdout)
    sentence_ok(what, r.stderr)
    if r.stdout:
        wrong(what, "goes to stdout", r.stdout)
    if said_in and not re.search(said_in, r.stderr):
        wrong(what, f"does not say {said_in}", r.stderr)


def check_option(p, command, option, joined, kind):
    what = " ".join(x for x in (p, command, option) if x)
    value = BAD[kind]
    pair = [option.encode() + b"=" + value] if joined == "=" else \
        [option.encode(), value]
    argv = [PROGRAM[p].encode()] + ([command.encode()] if command else [])
    for word in usual(what):
        argv += pair if word == "{}" else [word.encode()]
    named = option.lstrip("-").encode()
    refused(f"{what}, {kind}", argv, named if kind in ("empty", "long") else
        named + b"|" + re.escape(value[:1]))


def check_options(pool):
    seen = set(options())
    named = {option.lstrip("-") for p, command, option, joined in seen}
    for name, short in in_sources(
            "tools collector/shell monitord/shell viewer/app",
            r'\{ "([a-z-]+)", (?:required|optional)_argument, NULL,\s+'
            r"'?(\w)'?"):
        if not named & {name, short} and name != "internal":
            wrong("--help", f"does not tell of --{name}")
    for p, command, option, joined in sorted(seen, key=str):
        what = " ".join(x for x in (p, command, option) if x)
        for kind in BAD:
            if kind not in FINE.get(what, ()):
                pool.submit(check_option, p, command, option, joined, kind)


# --- keys of the cluster file ---

KEYS_FINE = {"name": TEXT, "log": TEXT, "host": TEXT, "user": TEXT,
    "collector": TEXT, "dir": TEXT, "spool": TEXT, "ssh": TEXT}


def keys():
    """Of the top, of defaults and of a node, as the manual lists them."""
    text = open(f"{DOCS}/orrery-cluster.5").read()
    top, _, node = text.partition("Each node is a mapping")
    node = node.partition(".Sh")[0]
    for where, part in (("top", top), ("node", node)):
        for name in re.findall(r"^\.It Ic ([a-z_]+)", part, re.M):
            yield where, name


def check_key(n, where, key, kind, value):
    path = f"bad{n}.yaml"
    line = key.encode() + b": " + value
    with open(f"../{path}", "wb") as f:
        if where == "top":
            f.write(line + b"\n" + (b"" if key == "nodes" else
                b"nodes:\n  - name: a\n"))
        elif where == "defaults":
            f.write(b"defaults:\n  " + line + b"\nnodes:\n  - name: a\n")
        else:
            f.write(b"nodes:\n  - " + (b"" if key == "name" else
                b"name: a\n    ") + line + b"\n")
    refused(f"{where} {key}: {kind}", [PROGRAM["monitord"], "-n",
        "../" + path], rb"bad\d+.yaml")


def check_keys(pool):
    found = set(keys())
    for key in in_sources("monitord/shell", r'(?:OPTION\(|TEXT\("|FIELD_[A-Z_]+'
            r'\(")([a-z_]+)'):
        if key not in ("key", "defaults") and key not in {k for w, k in found}:
            wrong("orrery-cluster(5)", f"has no word about {key}")
    found |= {("defaults", k) for w, k in found if w == "node" and k != "name"}
    for n, (where, key) in enumerate(sorted(found)):
        bad = dict(BAD, **{"a list": b"[[1]]", "a map": b"{ a: 1 }"})
        bad["empty"] = b'""'
        for m, (kind, value) in enumerate(bad.items()):
            if kind not in KEYS_FINE.get(key, ()):
                pool.submit(check_key, n * 10 + m, where, key, kind, value)


# --- commands of scripts ---

VALUES = {"empty": b"", "long": b"x" * 900, "not UTF-8": b"n\xff\xfe",
    "range": b"99999999999999999999999", "kind": b"no-such-thing?"}
# Without a value: the arguments are in brackets.  Any text is a name for these.
COMMANDS_FINE = {
    "export": TEXT, "snapshot": TEXT,  # they are files
    "filter": {"long"} | TEXT, "search": {"long"} | TEXT, "prompt": {"long"} | TEXT,
    "editor": {"long"} | TEXT, "phases": TEXT, "source-path": {"long"} | TEXT,
    "find": TEXT, "slowest": {"kind"}, "type": {"long"} | TEXT, "tell": {"long"} | TEXT,
}
# They do without, or it is of the last line what this one has no use for.
SKIPPED = {"quit", "try", "refused", "anew", "help", "full-screen", "wait"}


def commands():
    """(name, takes something, must have something)"""
    page = subprocess.run([PROGRAM["viewer"], "--print", "commands"],
        capture_output=True, text=True).stdout.replace(r"\&", "")
    for name, words in re.findall(r"^\.It Cm ([a-z-]+)(?: Ar (.*))?$", page,
        re.M):
        yield name, bool(words), bool(words) and not words.startswith("[")
    text = open(f"{DOCS}/viewer.1").read()
    text = text.partition(".Sh SCRIPTS")[2].partition(".Sh STATE")[0]
    for line in re.findall(r"^\.It (Cm .*)", text, re.M):
        for part in line.split(" , "):
            m = re.match(r"Cm ([a-z]+)( Ar)?( Op| Oo)?", part)
            yield m[1], bool(m[2] or m[3]), bool(m[2])


def check_commands():
    known = {n: (some, must) for n, some, must in commands()}
    if len(known) < 100:
        wrong("viewer --print commands", f"only {len(known)} commands found")
    lines, what = [b"limit 20s", b"wait read", b"fit-all"], []
    for name, (some, must) in sorted(known.items()):
        for kind, value in VALUES.items():
            if name in SKIPPED or kind in COMMANDS_FINE.get(name, ()) or \
                    kind == "empty" and not must:
                continue
            what.append(f"{name}, {kind}")
            lines += [b"refused " + name.encode() + b" " + value]
    with open("../script", "wb") as f:
        f.write(b"\n".join(lines) + b"\n")
    with open("../states", "w") as states:
        p = subprocess.run([PROGRAM["viewer"], "--headless", "--config", "",
            "--state-fd", str(states.fileno()), "--script", "../script",
            "good.orr"], capture_output=True, timeout=120,
            pass_fds=[states.fileno()])
    said = p.stdout.split(b"\n")[:-1]
    if p.returncode != 0 or len(said) != len(what):
        wrong("the script", f"ends with {p.returncode} after {len(said)} of "
            f"{len(what)}", p.stderr)
    for name, line in zip(what, said):
        if line == b"done":
            wrong(name, "is taken")
        else:
            sentence_ok(name, line + b"\n")
    states = [re.sub(r"(frame|pixels|adding-up|figures|known)=\S*", "", s)
        for s in open("../states") if s.startswith("frame=")]
    changed = [(a, b) for a, b in zip(states[4:], states[5:]) if a != b]
    if not states:
        wrong("the script", "has no state lines")
    for a, b in changed[:5]:
        wrong("the script", "changes: " + " ".join(sorted(
            set(a.split()) ^ set(b.split()))))
    return len(what)


before = files()
with ThreadPoolExecutor(4) as pool:
    results = []
    submit = pool.submit
    pool.submit = lambda *a: results.append(submit(*a))
    check_options(pool)
    check_keys(pool)
    for r in results:
        r.result()
said = check_commands()
if files() != before:
    wrong("the directory", f"has changed: {set(files()) ^ set(before)}")
print(f"{len(results)} values and {said} commands refused, {len(failed)} not "
    f"as they should be")
sys.exit(bool(failed))
