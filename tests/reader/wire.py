"""Frames, the fields of their bodies and varints: "Frames" and "Numbers" in
orrery-log(5)."""
import re
import struct
import zlib

from page import MESSAGES, NAME, NUMBER

HEAD = struct.Struct("<4sIHHI")
MAGIC = b"Ory1"
BODY_MAX = 8 << 20
TIME_MAX = (1 << 62) - 1

GOOD, SHORT, BAD = "good", "short", "bad"


class Damaged(Exception):
    """These bytes make no sense."""


def head_check(head):
    crc = zlib.crc32(head[:10])
    return (crc ^ crc >> 16) & 0xFFFF or 1


def parse(buf, at):
    """(GOOD, type, body), (SHORT, ...) or (BAD, ...) for the frame at `at`."""
    head = bytes(buf[at : at + HEAD.size])
    if not MAGIC.startswith(head[:4]):
        return BAD, 0, b""
    if len(head) < HEAD.size:
        return SHORT, 0, b""
    magic, length, kind, check, checksum = HEAD.unpack(head)
    if check not in (0, head_check(head)) or length > BODY_MAX:
        return BAD, 0, b""
    body = buf[at + HEAD.size : at + HEAD.size + length]
    if len(body) < length:
        return SHORT, 0, b""
    if zlib.crc32(body, zlib.crc32(head[:12])) != checksum:
        return BAD, 0, b""
    return GOOD, kind, body


def seal(name, body):
    """The frame around a body."""
    head = HEAD.pack(MAGIC, len(body), NUMBER[name], 0, 0)
    head = head[:10] + struct.pack("<H", head_check(head))
    return head + struct.pack("<I", zlib.crc32(body, zlib.crc32(head))) + body


NUMBERS = {
    "u8": struct.Struct("<B"),
    "u16": struct.Struct("<H"),
    "u32": struct.Struct("<I"),
    "u64": struct.Struct("<Q"),
    "i64": struct.Struct("<q"),
    "time": struct.Struct("<q"),
    "uuid": struct.Struct("16s"),
}
LENGTHS = {"str": NUMBERS["u16"], "data": NUMBERS["u32"]}


def fields(name, body):
    """[(field, type, where it begins, where it ends, value)] of a body.
    Fields that are not there are 0; what is behind those known is skipped."""
    at, found = 0, []
    for field, kind in MESSAGES[name][1]:
        number = LENGTHS.get(kind) or NUMBERS[kind]
        start, end = at, len(body)
        if start == end:
            value = b"" if kind in ("str", "data", "uuid") else 0
            found.append((field, kind, start, start, value))
            continue
        if end - at < number.size:
            raise Damaged(f"{name}: {field} is cut")
        value = number.unpack_from(body, at)[0]
        at += number.size
        if kind in LENGTHS:
            if end - at < value:
                raise Damaged(f"{name}: {field} is cut")
            at, value = at + value, bytes(body[at : at + value])
            if kind == "str" and b"\0" in value:
                raise Damaged(f"{name}: NUL in {field}")
        elif kind == "time" and not -TIME_MAX <= value <= TIME_MAX:
            raise Damaged(f"{name}: {field} is no time")
        found.append((field, kind, start, at, value))
    return found


def decode(name, body):
    """{field: value}"""
    return {f[0]: f[4] for f in fields(name, body)}


def encode(name, /, **values):
    """A whole frame; fields that are not given are 0 or empty."""
    body = b""
    for field, kind in MESSAGES[name][1]:
        value = values.pop(field, b"" if kind in LENGTHS else 0)
        if kind in LENGTHS:
            value = value.encode() if isinstance(value, str) else value
            body += LENGTHS[kind].pack(len(value)) + value
        else:
            body += NUMBERS[kind].pack(value or (b"" if kind == "uuid" else 0))
    assert not values, f"{name} has no {values}"
    return seal(name, body)


def type_name(number):
    return NAME.get(number, f"type {number}")


def unzigzag(n):
    return n >> 1 ^ -(n & 1)


class Varints(dict):
    """{bytes of a varint: its number}, made as they are met."""

    def __missing__(self, token):
        if len(token) == 1:
            n = token[0]
        else:
            n = 0
            for i, byte in enumerate(token):
                n |= (byte & 127) << 7 * i
            if len(token) > 10 or n >> 64:
                raise Damaged("a varint is too long")
        if len(self) < 1 << 16:
            self[token] = n
        return n


class Zigzags(dict):
    """{bytes of a varint: the signed number that it is the zigzag of}"""

    def __missing__(self, token):
        n = unzigzag(VARINT[token])
        if len(self) < 1 << 16:
            self[token] = n
        return n


VARINT, ZIGZAG = Varints(), Zigzags()
TOKEN = re.compile(rb"[\x80-\xff]*[\x00-\x7f]")


def tokens(data):
    """The varints that fill data, each as its bytes."""
    found = TOKEN.findall(data)
    if data and data[-1] > 127:
        raise Damaged("a varint is cut")
    return found


def varints(data):
    return list(map(VARINT.__getitem__, tokens(data)))


def zigzags(data):
    return list(map(ZIGZAG.__getitem__, tokens(data)))


def varint_at(data, at):
    """(number, where it ends)"""
    match = TOKEN.match(data, at)
    if match is None:
        raise Damaged("a varint is cut")
    return VARINT[match.group()], match.end()
