"""What the manual pages have as tables: the records of the log and the
messages of the protocol with their fields, and the kinds of events.

The reader and the client beside this take from the page's tables what is a
table there, and have been written from its sentences; nothing here knows of
the programs or of their sources.
"""
import os
import re

DOCS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../docs")


def lines(page):
    with open(os.path.join(DOCS, page), encoding="utf-8") as f:
        return f.read().splitlines()


def section(page, name):
    """The lines between the markers of a table that is printed into a page."""
    all_lines = lines(page)
    first = all_lines.index('.\\" BEGIN ' + name)
    return all_lines[first + 1 : all_lines.index('.\\" END ' + name)]


def messages(page, name):
    """{name: (type, [(field, type of field), ...])}"""
    found = {}
    for line in section(page, name):
        head = re.match(r"\.It Sy (\S+)(?: , (\S+))? Pq (\d+)$", line)
        field = re.match(r"\.It (\S+) Ta (\S+) Ta", line)
        if head:
            fields = []
            found[head.group(1)] = (int(head.group(3)), fields)
        elif field:
            fields.append((field.group(1), field.group(2)))
    return found


def kinds():
    """{number: name} of all kinds of events"""
    found = {}
    for line in section("orrery-log.5", "events"):
        head = re.match(r"\.It Sy (\S+) Pq (\d+)$", line)
        if head:
            found[int(head.group(2))] = head.group(1)
    return found


RECORDS = messages("orrery-log.5", "log")
MESSAGES = messages("orrery-protocol.7", "protocol")
MESSAGES.update(RECORDS)
NUMBER = {name: number for name, (number, fields) in MESSAGES.items()}
NAME = {number: name for name, number in NUMBER.items()}
