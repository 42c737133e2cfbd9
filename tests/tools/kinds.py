#!/usr/bin/env python3
"""kinds.py MONITORCTL LOG TOLD: what tests/apps/kinds.c says that it has told
is what the words of `dump --raw` mean, and what dump, report, csv and query
make of them."""
import csv
import io
import json
import os
import struct
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [os.path.join(HERE, '..', 'oracle')]
from events import Known  # noqa: E402
from owned import own_events  # noqa: E402

monitorctl, log, told_path = sys.argv[1:4]
wrong = []


def tell(*words):
    return subprocess.run([monitorctl, *words], check=True,
                          capture_output=True, text=True).stdout


def differ(what, is_, should):
    if is_ != should:
        n = next((i for i, (a, b) in enumerate(zip(is_, should)) if a != b),
                 min(len(is_), len(should)))
        wrong.append(f'{what}: {len(is_)} and {len(should)}, at {n}: '
                     f'{str(is_[n:n + 1])[:300]} not {str(should[n:n + 1])[:300]}')


known = Known(log)
rows = [line.split('\t') for line in
        tell('dump', '--raw', log).splitlines()[1:]]
raw = [(int(r[0]), int(r[2]), int(r[3]), r[4], *map(int, r[7:])) for r in rows]
events = list(own_events(raw, known.name))


def spelt(field):
    label, type_, _, v = field
    if type_ == 'name':
        v = known.name(v) if v else ''
    return f'{label}={v:.17g}' if type_ == 'real' else f'{label}={v}'


with open(told_path) as f:
    told = [line for line in f.read().splitlines()
            if not line.startswith('disturbed')]
ours = [e for e in events if e[4] in ('wide', 'full', 'names', 'tiny')]
quiet = [e for e in ours if e[5][0][3] not in range(10**6, 2 * 10**6) and
         not (e[4] == 'full' and e[5][0][3] == 9)]
differ('told', [' '.join([e[4], *map(spelt, e[5])]) for e in quiet], told)

# of what signals have interrupted, and of what they tell, all is whole
calm = [e[5] for e in ours if e[4] == 'wide' and e not in quiet]
differ('disturbed', [[f[3] for f in e] for e in calm], [
    [10**6 + i, 0, 0.0, i, i, i, 0, 1] for i in range(2000)])
handled = [e[5] for e in ours if e[4] == 'full' and e not in quiet]
differ('signals', [[f[3] for f in e] for e in handled], [
    [9, i, 9, 9, 9, 9, 9, 9] for i in range(len(handled))])
if not handled:
    wrong.append('no signal has come')


# --- dump, csv ---
def text(of):
    v = of[3]
    if of[1] == 'name':
        v = known.name(v) if v else '-'
        v = f'"{v}"' if ' ' in v else v
    elif of[1] == 'id':
        v = f'0x{v:x}'
    elif of[1] == 'real':
        v = next(s for s in (f'{v:.{d}g}' for d in (15, 16, 17))
                 if float(s) == v)
    return f'{of[0]}={v}{of[2] or ("ns" if of[1] == "ns" else "")}'


lines = [' '.join([e[4], *map(text, e[5])]) for e in events]
kinds = {e[4] for e in events}
printed = [line.split(' ', 2)[2] for line in tell('dump', log).splitlines()]
differ('dump', [p for p in printed if p.split(' ')[0] in kinds], lines)
if any(p.startswith('own') for p in printed):
    wrong.append('dump has events that it does not put together')
for kind in kinds:
    differ(f'dump --kind {kind}', [
        line.split(' ', 2)[2] for line in
        tell('dump', '--kind', kind, log).splitlines()],
        [line for line in lines if line.split(' ')[0] == kind])
told = list(csv.DictReader(io.StringIO(tell('export', '--format', 'csv',
                                            log))))
differ('csv', [r['text'] for r in told if r['kind'] == 'own'], lines)
# a range that begins between the parts of an event has it whole
at = next(e for e in events if e[4] == 'wide')
first = (at[0] - known.run['start_mon_ns']) / 1e9
differ('dump --from', tell('dump', '--from', f'{first:.9f}', '--kind', 'wide',
                           log).splitlines()[0].split(' ', 2)[2:],
       [lines[events.index(at)]])

# --- report, query ---
for kind in json.loads(tell('report', '--json', log))['kinds']:
    of = [e[5] for e in events if e[4] == kind['kind']]
    differ(kind['kind'], [kind['events']], [len(of)])
    for i, field in enumerate(kind['fields']):
        values = [e[i][3] for e in of]
        if field['type'] not in ('id', 'name'):
            for key, v in (('sum', sum(values)), ('min', min(values)),
                           ('max', max(values)),
                           ('mean', sum(values) / len(values))):
                whole = isinstance(v, int) and -1 << 63 <= v < 1 << 64
                if (field[key] != v if whole else
                        abs(field[key] - v) > 1e-5 * abs(v)):
                    wrong.append(f'{kind["kind"]} {field["field"]} {key}: '
                                 f'{field[key]} not {v}')
    view = f'own_{kind["kind"]}'
    got = json.loads(tell('query', '--json', log, f'SELECT * FROM {view}'))
    differ(view, [[f'{v:.14g}' if isinstance(v, float) else v
                   for v in [*r.values()][3:]] for r in got], [
        [known.name(f[3]) if f[1] == 'name' and f[3] else
         '' if f[1] == 'name' else f'{f[3]:.14g}' if f[1] == 'real' else
         struct.unpack('<q', struct.pack('<Q', f[3] & (1 << 64) - 1))[0]
         for f in e] for e in of])

# --- what is refused is said once, and nothing else is ---
notes = [known.name(r[6]) for r in raw if r[3] == 'note']
for why, n in (('with other fields already', 1), ('at most 8 fields', 1),
               ('at most 3 fields that are names', 1), ('same label', 1),
               ('called so', 1), ('256 kinds', 9)):
    differ(why, [sum(why in text for text in notes)], [n])
differ('notes', [n for n in notes if ' refused: ' not in n], [])

for line in wrong:
    print(line)
sys.exit(bool(wrong))
