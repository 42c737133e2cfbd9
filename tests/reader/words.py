"""Kinds and words of events: "Words" in orrery-log(5).

One loop over a block, since nearly all of a reader's time goes there.
"""
import re

from wire import VARINT, ZIGZAG, Damaged, tokens, varint_at

ALL = (1 << 64) - 1
FACTOR = 0x9E3779B97F4A7C15
LANES = 256  # lanes beyond share what is open
DEPTH = 8
NEW = 31  # the slot that introduces a kind

HAS_A, HAS_B, HAS_C, BEGINS, ENDS, TURN = 1, 2, 4, 8, 16, 32


def place(v):
    """One of 16 places by hash."""
    return (v * FACTOR & ALL) >> 60


class Upper(dict):
    """{upper half of a value: its place}"""

    def __missing__(self, half):
        if len(self) > 1 << 16:
            self.clear()
        self[half] = n = place(half)
        return n


class Opened(dict):
    """{stack and span: [top, a of 8, c of 8]}"""

    def __missing__(self, key):
        self[key] = new = [0, [0] * DEPTH, [0] * DEPTH]
        return new


class Slot:
    """What is remembered of a kind; all 0 at the beginning."""

    __slots__ = (
        "kind begins moves a_open c_open turn span no_b hashes a_last a_step b_last "
        "b_step c_last c_with a_recent a_upper b_recent b_upper"
    ).split()

    def __init__(self):
        self.a_last = self.a_step = self.b_last = self.b_step = self.c_last = 0
        self.c_with = [0] * 16
        self.a_recent, self.a_upper = [0] * 16, [0] * 16
        self.b_recent, self.b_upper = [0] * 16, [0] * 16

    def introduce(self, kind, form, shared):
        if kind == 0 or form > 0x3FF:
            raise Damaged("no such kind")
        self.kind = kind
        self.begins = bool(form & BEGINS)
        self.moves = bool(form & BEGINS) - bool(form & ENDS)
        self.a_open = bool(form & ENDS and form & HAS_A)
        self.c_open = bool(form & ENDS and form & HAS_C)
        self.turn = bool(form & TURN)
        self.span = form >> 6 if form & (BEGINS | ENDS) else -1
        # to save time, where no other kind has the slot: b stays 0, and
        # nothing asks for the place of a
        self.no_b = not (form & (HAS_B | TURN) or shared)
        self.hashes = bool(self.turn or shared or
            (form & HAS_C and not self.c_open))


# A value as it is stored: the byte 3 and 8 bytes more, or a varint.
VALUE = re.compile(rb"\x03[\x00-\xff]{8}|[\x80-\xff]*[\x00-\x7f]", re.DOTALL)


def values(data):
    """The values of a column, as codes; one stored in full is ~value."""
    found, at = [], 0
    for token in VALUE.findall(data):
        at += len(token)
        if token[0] == 3:
            if len(token) < 9:
                raise Damaged("a value is cut")
            found.append(~int.from_bytes(token[1:], "little"))
        else:
            found.append(VARINT[token])
    if at != len(data):
        raise Damaged("a value is cut")
    return found


def value(code, last, recent, upper, halves):
    """A value by its code; recent and upper learn it."""
    how = code & 3
    if code < 0:
        v = ~code
    elif how == 0:
        code >>= 2
        v = last + (code >> 1 ^ -(code & 1)) & ALL
    elif how == 1:
        v = recent[code >> 2 & 15]
    elif how == 2:
        step = code >> 6
        v = upper[code >> 2 & 15] + 1 + (step >> 1 ^ -(step & 1)) & ALL
    else:
        v = (code >> 2) - 1
    recent[(v * FACTOR & ALL) >> 60] = v
    upper[halves[v >> 32]] = v
    return v


def decode(lanes, tags, column_a, column_b, column_c):
    """(kinds, a, b, c) of the events whose lanes are given."""
    slots, used = [Slot() for i in range(NEW + 1)], 0
    opened = Opened()
    turns = [0] * 16
    halves = Upper()
    all_kind, all_a, all_b, all_c = [], [], [], []
    put_kind, put_a, put_b = all_kind.append, all_a.append, all_b.append
    put_c = all_c.append
    codes_a, codes_b = iter(values(column_a)), iter(values(column_b))
    diffs_c = iter(list(map(ZIGZAG.__getitem__, tokens(column_c))))
    at, h, top, open_a, open_c = 0, 0, 0, None, None
    try:
        for lane in lanes:
            tag = tags[at]
            at += 1
            number = tag >> 3
            if number == NEW:
                slot = slots[used]
                kind = tags[at]
                form, at = varint_at(tags, at + 1)
                slot.introduce(kind, form, used == NEW)
                used += used < NEW
            elif number < used:
                slot = slots[number]
            else:
                raise Damaged("a slot without a kind")
            span = slot.span
            if span >= 0:
                stack = opened[lane % LANES << 4 | span]
                top, open_a, open_c = stack
            # a
            base = slot.a_last
            if tag & 1:
                a = open_a[top % 8] if slot.a_open else base + slot.a_step & ALL
            else:
                a = value(next(codes_a), base, slot.a_recent, slot.a_upper,
                    halves)
            slot.a_step = a - base
            slot.a_last = a
            slot.a_upper[halves[a >> 32]] = a
            if slot.hashes:
                h = (a * FACTOR & ALL) >> 60
            # b
            if tag & 2 and slot.no_b:
                b = 0
            else:
                base = turns[h] if slot.turn else slot.b_last
                if tag & 2:
                    b = base + slot.b_step & ALL
                else:
                    b = value(next(codes_b), base, slot.b_recent,
                        slot.b_upper, halves)
                slot.b_step = b - base
                if slot.turn:
                    turns[h] = b
                slot.b_last = b
            # c
            if tag & 4:
                c = open_c[top % 8] if slot.c_open else slot.c_with[h]
            else:
                c = slot.c_last + next(diffs_c) & 0xFFFFFFFF
            slot.c_last = c
            if slot.hashes:
                slot.c_with[h] = c
            if span >= 0:
                if slot.begins:
                    open_a[(top + 1) % 8] = a
                    open_c[(top + 1) % 8] = c
                stack[0] = top + slot.moves
            put_kind(slot.kind)
            put_a(a)
            put_b(b)
            put_c(c)
    except (IndexError, StopIteration):
        raise Damaged("the words are cut") from None
    for left in codes_a, codes_b, diffs_c:
        if next(left, None) is not None:
            raise Damaged("words are left over")
    if at != len(tags):
        raise Damaged("tags are left over")
    return all_kind, all_a, all_b, all_c
