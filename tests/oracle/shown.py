"""What the programs show: `monitorctl report --yaml` and the viewer's words."""
import os
import re
import subprocess


def scalar(word):
    word = word.strip()
    if word.startswith('"'):
        word = re.sub(r"\\x(..)", lambda m: chr(int(m[1], 16)), word[1:-1])
        return re.sub(r"\\(.)", r"\1", word)
    if re.fullmatch(r"-?\d+", word):
        return int(word)
    return {"true": True, "false": False}.get(word, word)


def flow(word):
    """{ a: 1, b: [2, 3] } or a scalar, as report writes it."""
    word = word.strip()
    if word[:1] not in "[{" or not word:
        return scalar(word)
    parts, depth, quoted, at = [], 0, False, 1
    for i, c in enumerate(word):
        if c == '"' and word[i - 1] != "\\":
            quoted = not quoted
        if quoted:
            continue
        depth += (c in "[{") - (c in "]}")
        if (c == "," and depth == 1) or depth == 0:
            parts.append(word[at:i].strip())
            at = i + 1
    parts = [p for p in parts if p]
    if word[0] == "[":
        return [flow(p) for p in parts]
    return {k.strip(): flow(v) for k, v in
        (p.split(":", 1) for p in parts)}


def block(lines, indent):
    """Lines of YAML in the subset that report writes."""
    if lines and lines[0].lstrip().startswith("- "):
        found = []
        while lines and len(lines[0]) - len(lines[0].lstrip()) == indent and \
                lines[0].lstrip().startswith("- "):
            first = lines.pop(0).lstrip()[2:]
            if first.startswith("{"):
                found.append(flow(first))
                continue
            lines.insert(0, " " * (indent + 2) + first)
            found.append(block(lines, indent + 2))
        return found
    found = {}
    while lines and len(lines[0]) - len(lines[0].lstrip()) == indent:
        key, value = lines.pop(0).strip().split(":", 1)
        if value.strip():
            found[key] = flow(value)
        elif lines:
            deeper = len(lines[0]) - len(lines[0].lstrip())
            found[key] = block(lines, deeper) if deeper > indent else {}
    return found


def report(monitorctl, path):
    out = subprocess.run([monitorctl, "report", "--yaml", path],
        stdout=subprocess.PIPE, check=True).stdout.decode()
    return block(out.splitlines(), 0)


class Words:
    """One answer of `describe`."""

    def __init__(self, lines):
        self.lines = lines

    def value(self, pattern):
        """Groups of the first line that matches, numbers as numbers."""
        for line in self.lines:
            m = re.match(pattern, line)
            if m:
                return [scalar(g) if g else g for g in m.groups()]
        return None

    def below(self, head, pattern):
        """Groups of the lines below the one that matches head."""
        it = iter(self.lines)
        for line in it:
            if re.match(head, line):
                break
        for line in it:
            m = re.fullmatch(pattern, line)
            if not m:
                return
            yield [scalar(g) if g else g for g in m.groups()]

    def rough(self):
        return any(re.search(r": ~|, ~| ~\d+ in ", line) for line in self.lines)


class Viewer:
    """A viewer without a window; it is told all at once, and asked."""

    def __init__(self, program, log, options, home):
        self.program, self.log, self.ready = program, log, "wait read"
        self.options = options + ([log] if log else [])
        self.env = dict(os.environ, XDG_CACHE_HOME=home, XDG_CONFIG_HOME=home)

    def index(self):
        """Keeps what is known of the log, without the single states."""
        return subprocess.run([self.program, "--index", self.log],
            stdout=subprocess.DEVNULL, env=self.env).returncode == 0

    def describe(self, script):
        """The answers to the script's describes."""
        out = subprocess.run([self.program, "--headless", "--config", "",
            "--script", "-"] + self.options, input="\n".join(script).encode(),
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.env)
        if out.returncode != 0:
            raise SystemExit(f"viewer {' '.join(self.options)} ends with "
                f"{out.returncode}: {out.stderr.decode()}")
        found = []
        for line in out.stdout.decode().splitlines():
            if line.startswith("run: "):
                found.append(Words([]))
            found[-1].lines.append(line)
        return found
