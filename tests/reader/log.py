"""Frames and blocks of a log, and its events in order: "Frames", "Order" and
"Blocks" in orrery-log(5)."""
import ctypes
import itertools

import words
from page import NUMBER, RECORDS, kinds
from wire import (
    BAD,
    GOOD,
    HEAD,
    MAGIC,
    TIME_MAX,
    Damaged,
    decode,
    parse,
    type_name,
    varint_at,
    varints,
    zigzags,
)

VERSION = 1
EVENTS_MAX = 65536
PLAIN_MAX = 4 << 20
COLUMNS = "time lane tags a b c flags shift raw".split()
SHIFTED = 4
DEFINITIONS = [NUMBER[name] for name in
    ("kind", "node", "po", "thread", "name", "segment", "module",
        "symbol")]

try:  # Python has no zstd of its own; orrery's programs need this one, too
    zstd = ctypes.CDLL("libzstd.so.1").ZSTD_decompress
    zstd.restype = ctypes.c_size_t
    zstd.argtypes = [ctypes.c_char_p, ctypes.c_size_t] * 2
except OSError:
    zstd = None


class NoLog(Exception):
    """What this file is instead."""


def frames(log):
    """(offset, type, body) of each good frame; the last one that is damaged
    or cut is (where it begins, None, bytes skipped)."""
    at, end = 0, len(log)
    while at < end:
        status, kind, body = parse(log, at)
        if status == GOOD:
            yield at, kind, body
            at += HEAD.size + len(body)
            continue
        good = at + 1
        while True:
            good = log.find(MAGIC, good)
            if good < 0 or parse(log, good)[0] == GOOD:
                break
            good += 1
        if good >= 0:
            yield at, None, good - at
            at = good
        else:  # a frame that is cut is being written: not damage
            if status == BAD:
                yield at, None, end - at
            return


def unpack(plain, stored, codec):
    if plain == len(stored):
        return stored
    if codec != 1:
        raise Damaged("a column has the wrong length")
    if zstd is None:
        raise SystemExit("libzstd.so.1 is needed to read this log")
    to = ctypes.create_string_buffer(plain)
    if zstd(to, plain, stored, len(stored)) != plain:
        raise Damaged("a column is no zstd frame")
    return to.raw


def columns(block):
    """{name: bytes} of a block."""
    data, at, found, room = block["columns"], 0, {}, block["plain_bytes"]
    for name in COLUMNS:
        plain, at = varint_at(data, at)
        stored, at = varint_at(data, at)
        if plain > room or stored > len(data) - at:
            raise Damaged("a column is cut")
        found[name] = unpack(plain, data[at : at + stored], block["codec"])
        at += stored
        room -= plain
    return found


def lanes(block):
    """[(location, first seq, events, first, last, {class: events})]"""
    data, at, found = block["lanes"], 0, []
    span = block["last_mon_ns"] - block["first_mon_ns"]
    while at < len(data):
        v = []
        for i in range(6):
            n, at = varint_at(data, at)
            v.append(n)
        location, seq, events, first, last, classes = v
        if location >> 32 or not 0 < events <= block["events"] or \
                not first <= last <= span or seq > words.ALL - events:
            raise Damaged("a lane makes no sense")
        count = {}
        for c in range(64):
            if classes >> c & 1:
                count[c], at = varint_at(data, at)
                if count[c] > events:
                    raise Damaged("a lane makes no sense")
        found.append((location, seq, events, block["first_mon_ns"] + first,
            block["first_mon_ns"] + last, count))
    if sum(lane[2] for lane in found) != block["events"]:
        raise Damaged("the lanes have other events than the block")
    return found


def signed(n):
    n &= words.ALL
    return n - (1 << 64) if n >> 63 else n


def flags_of(column, n):
    """The flags of n events."""
    v = varints(column)
    runs, flags = v[0::2], v[1::2]
    if len(v) % 2 or sum(runs) != n or 0 in runs or max(flags) > 0xFFFF:
        raise Damaged("the flags are of other events")
    if len(runs) == 1:
        return [flags[0]] * n
    return list(itertools.chain.from_iterable(
        map(itertools.repeat, flags, runs)))


def shifts_of(column, flags):
    v = iter(varints(column))
    if SHIFTED & ~max(flags) and not column:
        shifts = [0] * len(flags)
    else:
        try:
            shifts = [next(v) if f & SHIFTED else 0 for f in flags]
        except StopIteration:
            raise Damaged("shifts are missing") from None
    if next(v, None) is not None or max(shifts) >> 32:
        raise Damaged("the shifts make no sense")
    return shifts


class Events:
    """The events of a block, in columns."""

    def __init__(self, block):
        n = block["events"]
        if not 0 < n <= EVENTS_MAX or block["codec"] > 1 or \
                block["plain_bytes"] > PLAIN_MAX or \
                block["first_mon_ns"] > block["last_mon_ns"]:
            raise Damaged("no such block")
        self.lanes = lanes(block)
        column = columns(block)
        gaps, lane = varints(column["time"]), varints(column["lane"])
        if len(gaps) != n or len(lane) != n or max(lane) >= len(self.lanes):
            raise Damaged("times or lanes of other events")
        self.t_mon_ns = list(itertools.accumulate(gaps,
            initial=block["first_mon_ns"]))[1:]
        if self.t_mon_ns[0] != block["first_mon_ns"] or \
                self.t_mon_ns[-1] != block["last_mon_ns"]:
            raise Damaged("the times are not those of the block")
        self.lane = lane
        self.flags = flags_of(column["flags"], n)
        self.shift_ns = shifts_of(column["shift"], self.flags)
        self.places(zigzags(column["raw"]))
        self.kind, self.a, self.b, self.c = words.decode(lane, column["tags"],
            column["a"], column["b"], column["c"])

    def places(self, diffs):
        """Location, seq and time on the node of each event."""
        if len(diffs) != len(self.lane):
            raise Damaged("raw times of other events")
        raw = [0] * len(self.lanes)
        count = [0] * len(self.lanes)
        first = [lane[1] for lane in self.lanes]
        node, seq = [], []
        for lane, diff, mon, shift in zip(self.lane, diffs, self.t_mon_ns,
                self.shift_ns):
            raw[lane] = r = raw[lane] + diff
            node.append(r + mon - shift)
            seq.append(first[lane] + count[lane])
            count[lane] += 1
        if count != [lane[2] for lane in self.lanes]:
            raise Damaged("a lane has other events than it says")
        if max(node) > TIME_MAX or min(node) < -TIME_MAX:
            node = list(map(signed, node))
            if max(node) > TIME_MAX or min(node) < -TIME_MAX:
                raise Damaged("a time on the node is none")
        self.t_node_ns, self.seq = node, seq
        self.location = [self.lanes[lane][0] for lane in self.lane]


def entries(data):
    """(offset, bytes) of each frame that an index lists."""
    at = offset = 0
    while at < len(data):
        step, at = varint_at(data, at)
        size, at = varint_at(data, at)
        kind, at = varint_at(data, at)
        offset += step
        for _ in range(4 if type_name(kind) == "block" else 0):
            _, at = varint_at(data, at)
        yield offset, size


class Log:
    """A log, by its frames; damaged says how many bytes were skipped."""

    def __init__(self, log):
        self.log, self.damaged, self.listed = log, 0, None
        self.kinds, self.blocks, self.receipt, self.run = kinds(), [], None, None
        self.records = []  # (offset, name, body); None: a type not known
        self.highest = min(len(log) // 16 + 65536, 1 << 24)
        gaps = []  # (offset, bytes) of what is no frame
        for offset, kind, body in frames(log):
            if kind is None:
                gaps.append((offset, body))
                self.damaged += body
            else:
                self.take(offset, kind, body)
        if not self.records:
            raise NoLog("has no whole frame")
        # a reader that goes by the index of a finished log sees the first
        # frame and what that lists
        if self.listed is None or self.receipt is None:
            self.unseen = 0
        else:
            self.unseen = sum(n for at, n in gaps if at > 0 and not any(
                at < e + size and e < at + n for e, size in self.listed))

    def take(self, offset, kind, body):
        name = type_name(kind)
        if not self.records and name != "run" and (offset == 0 or
                name not in RECORDS):
            raise NoLog("does not begin with a run record")
        self.records.append((offset, name, body))
        try:
            if name == "run" and self.run is None:
                self.run = decode(name, body)
                if self.run["version"] > VERSION:
                    raise NoLog("is of a newer version")
            elif name == "block":
                block = decode(name, body)
                self.blocks.append((block["first_mon_ns"], offset, block,
                    HEAD.size + len(body)))
            elif name == "receipt":
                self.receipt = decode(name, body)
            elif name == "index":
                self.listed = list(entries(decode(name, body)["entries"]))
            elif kind in DEFINITIONS:
                self.define(name, decode(name, body))
        except Damaged:
            self.damaged += HEAD.size + len(body)

    def define(self, name, record):
        number = list(record.values())[0]
        if name == "kind":
            if 0 < number < 256 and record["name"]:
                self.kinds[number] = record["name"].decode(errors="replace")
        elif number > self.highest:
            raise Damaged("no such number")

    def events(self, block, frame_bytes):
        """Events of a block; None when it is damaged."""
        try:
            events = Events(block)
            if max(events.location) > self.highest:
                raise Damaged("no such location")
        except Damaged:
            self.damaged += frame_bytes
            return None
        return events

    def groups(self):
        """Blocks by first time, those that overlap together, as
        [(offset, Events), ...] by their place in the file."""
        group, last, furthest = [], None, 0
        for first, offset, block, n in sorted(self.blocks,
                key=lambda b: b[:2]):
            if group and (first > last or
                    (first == last and offset > furthest)):
                yield sorted(group, key=lambda g: g[0])
                group = []
            events = self.events(block, n)
            if events is None:
                continue
            last = max(last, block["last_mon_ns"]) if group else \
                block["last_mon_ns"]
            furthest = max(furthest, offset)
            group.append((offset, events))
        if group:
            yield sorted(group, key=lambda g: g[0])


HEADING = "t_mon_ns\tt_node_ns\tlocation\tseq\tkind\tflags\tshift_ns\ta\tb\tc"
ROW = "%d\t%d\t%d\t%d\t%s\t%d\t%d\t%d\t%d\t%d"


def rows(events, names):
    """An event a line, as `monitorctl dump --raw` prints it."""
    get = names.get
    return list(map(ROW.__mod__, zip(events.t_mon_ns, events.t_node_ns,
        events.location, events.seq, [get(k, "?") for k in events.kind],
        events.flags, events.shift_ns, events.a, events.b, events.c)))


def lines(log):
    """Lists of lines: all events of a log, in order of their times, and of
    equal times in that of the file."""
    for group in log.groups():
        text, times = [], []
        for offset, events in group:
            text += rows(events, log.kinds)
            times += events.t_mon_ns
        if len(group) > 1:
            text = [text[i] for i in
                sorted(range(len(times)), key=times.__getitem__)]
        yield text
