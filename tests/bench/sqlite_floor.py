"""Writes the tables of a file of SQLite once more, with the exporter's settings:
what SQLite itself takes for these rows and indices, without reading a log.

    sqlite_floor.py FILE OUT"""
import sqlite3
import sys

db = sqlite3.connect(sys.argv[2], isolation_level=None)
for setting in ("page_size = 16384", "journal_mode = OFF", "synchronous = OFF",
        "locking_mode = EXCLUSIVE", "temp_store = MEMORY",
        "cache_size = -65536"):
    db.execute(f"PRAGMA {setting}")
db.execute("ATTACH ? AS was", (sys.argv[1],))
made = db.execute("SELECT type, name, sql FROM was.sqlite_master WHERE sql IS "
    "NOT NULL AND name NOT LIKE 'sqlite_%'").fetchall()
db.execute("BEGIN")
for kind, name, sql in made:
    if kind == "table":
        db.execute(sql)
        db.execute(f"INSERT INTO main.{name} SELECT * FROM was.{name}")
for kind, name, sql in made:
    if kind == "index":
        db.execute(sql)
db.execute("COMMIT")
