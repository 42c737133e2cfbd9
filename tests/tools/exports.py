#!/usr/bin/env python3
"""exports.py MONITORCTL LOG DIR: every format that monitorctl export writes,
read by another reader and held against `dump --raw` by brute force; times by
function against `report`.  DIR is for the files, which stay."""
import csv
import json
import os
import re
import shutil
import struct
import subprocess
import sys
from collections import Counter, defaultdict

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                '..', 'oracle'))
from owned import own_events  # noqa: E402

monitorctl, log, place = sys.argv[1:4]
wrong = []

BEGINS = {
    'enter', 'task_begin', 'task_resume', 'block_begin', 'member_begin',
    'rpc_begin', 'phase_begin'}
WAITS = {
    'thread_wait', 'receive_wait', 'collective_enter', 'rooted_enter',
    'rpc_call',
    'lock_wait', 'cond_wait', 'sem_wait', 'barrier_enter', 'io_wait',
    'system_wait'}
ENDS = {
    'leave', 'task_suspend', 'task_end', 'block_end', 'member_end', 'rpc_end',
    'phase_end'}
COUNTERS = {'counter', 'counter_real', 'measure'}


def differ(what, is_, should):
    if is_ == should:
        return
    if isinstance(should, Counter):
        is_, should = is_ - should, should - is_
    elif isinstance(should, list) and isinstance(is_, list):
        n = next((i for i, (a, b) in enumerate(zip(is_, should)) if a != b),
                 min(len(is_), len(should)))
        what += f', {len(is_)} and {len(should)}, differ at {n}'
        is_, should = is_[n:n + 1], should[n:n + 1]
    wrong.append(f'{what}: {str(is_)[:300]} and not {str(should)[:300]}')


def tell(*words):
    return subprocess.run([monitorctl, *words, log], check=True,
                          capture_output=True, text=True).stdout


def export(suffix, *words):
    path = os.path.join(place, 'x' + suffix)
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.unlink(path)
    subprocess.run([monitorctl, 'export', '-o', path, *words, log], check=True)
    return path


def dump(*words):
    rows = [line.split('\t') for line in tell('dump', '--raw',
                                              *words).splitlines()[1:]]
    return [[int(w) if i != 4 else w for i, w in enumerate(r)] for r in rows]


def check_csv(rows, *words):
    with open(export('.csv', *words), newline='') as f:
        told = [[int(r[1]), int(r[2]), int(r[3]), int(r[7]), r[8]] +
                [int(w) for w in r[9:14]] for r in list(csv.reader(f))[1:]]
    differ('csv', told, rows)


names = {}


def own_rows(rows):
    """Events of declared kinds, and the texts of all names."""
    if not names:
        names.update(query('SELECT name, text FROM names'))
    return own_events([[r[0], r[2], r[3], r[4], *r[7:]] for r in rows],
                      lambda n: names.get(n, ''))


def shown(field, form):
    """The value of a field in JSON, or in SQL."""
    _, type_, _, v = field
    if v is None or type_ == 'real':
        return v
    if type_ == 'name':
        return names.get(v, '')
    if form == 'sql':
        return signed(v)
    return f'0x{v:x}' if type_ == 'id' else v != 0 if type_ == 'flag' else v


def whole(fields):
    return all(f[3] is not None for f in fields)


def messages(rows):
    """Messages of which both sides are there."""
    sent, met = {}, 0
    for r in rows:
        if r[7] != 0 and r[4] == 'send':
            sent[r[7]] = True
        elif r[4] == 'receive':
            met += sent.pop(r[7], False)
    return met


def check_chrome(rows, functions, *words):
    with open(export('.json', *words)) as f:
        # all times have three places: whole ns
        events = json.load(
            f, parse_float=lambda s: int(s.replace('.', ''))
            if s[-4:-3] == '.' else float(s))['traceEvents']
    opened, self_ns = Counter(), Counter()
    stack, last, flows = defaultdict(list), {}, defaultdict(list)
    async_, instants, told = defaultdict(list), Counter(), []
    for e in events:
        ph, tid, t = e['ph'], e['tid'], e['ts']
        if ph in 'BE':
            if t < last.get(tid, t):
                wrong.append(f'chrome: thread {tid} goes back at {t}')
            frames = [f for f in stack[tid] if f['cat'] not in WAITS]
            if frames and tid in last:
                self_ns[frames[-1]['cat'],
                        frames[-1]['name']] += t - last[tid]
            last[tid] = t
        if ph == 'B':
            stack[tid].append(e)
            if not e.get('args', {}).get('goes_on'):
                opened[e['cat']] += 1
        elif ph == 'E':
            if not stack[tid]:
                wrong.append(f'chrome: E without B at {t} of {tid}')
            else:
                stack[tid].pop()
        elif ph in 'sf':
            flows[e['id']].append((ph, e['cat'], t))
        elif ph in 'be':
            async_[e['id']].append((ph, t))
        elif ph == 'i':
            instants[e['cat']] += 1
            if e['cat'] == 'own':
                told.append((e['tid'], e['name'], list(e['args'].values())))
        elif ph == 'C':
            instants['counter'] += 1
        elif ph != 'M':
            wrong.append(f'chrome: phase {ph}')
    for tid, left in stack.items():
        if left:
            wrong.append(f'chrome: {tid} is left with {left[:3]}')
    for id_, ends in flows.items():
        if ([p for p, _, _ in ends] != ['s', 'f'] or
                ends[0][1] != ends[1][1] or ends[0][2] > ends[1][2]):
            wrong.append(f'chrome: flow {id_} is {ends}')
    for id_, ends in async_.items():
        if [p for p, _ in ends] != ['b', 'e'] or ends[0][1] > ends[1][1]:
            wrong.append(f'chrome: hold {id_} is {ends}')
    kinds = Counter(r[4] for r in rows)
    del opened['thread']
    differ('chrome: opened', opened,
           Counter({k: n for k, n in kinds.items() if k in BEGINS | WAITS}))
    should = Counter()
    for k, n in kinds.items():
        if k not in BEGINS | WAITS | ENDS | {'own_more'}:
            should['counter' if k in COUNTERS else k] += n
    differ('chrome: instants', instants, should)
    if not words:
        differ('chrome: declared kinds', told,
               [(at, kind, [shown(f, "null") for f in fields])
                for _, at, _, _, kind, fields in own_rows(rows)])
    differ('chrome: messages',
           sum(e[0][1] == 'send' for e in flows.values()), messages(rows))
    if functions is not None:
        told = Counter()
        for (cat, name), ns in self_ns.items():
            if cat == 'enter':
                told[name] += ns
        differ('chrome: self time', +told, functions)


OTF2_LINE = re.compile(
    r'(ENTER|LEAVE|MPI_SEND|MPI_RECV|METRIC) +(\d+) +(\d+)  (.*)'
    r'(?:\n +ADDITIONAL ATTRIBUTES: (.*))?')
OTF2_VALUE = re.compile(r'\("(.*?)" <\d+>; (?:U?INT64|DOUBLE|STRING); '
                        r'(?:"(.*?)" <\d+>|([^)]*))\)')


def otf2_counters(rows, begin):
    """(location, time, members, attributes) of counters and declared kinds."""
    found = Counter()
    for r in rows:
        if r[4] in COUNTERS:
            v = (float(f'{real(r[7]):g}') if r[4] == 'counter_real'
                 else signed(r[7]))
            found[r[2], r[0] - begin, ((names.get(r[9], ''), v),), ()] += 1
    for t, at, _, _, kind, fields in own_rows(rows):
        known = [(f'{kind}.{label}', type_, v)
                 for label, type_, _, v in fields if v is not None]
        members = tuple((label, float(f'{v:g}' if type_ == 'real' else v))
                        for label, type_, v in known if type_ != 'name')
        found[at, t - begin, members or ((kind, 1),), tuple(
            (label, names.get(v, '')) for label, type_, v in known
            if type_ == 'name' and v != 0)] += 1
    return found


def check_otf2(rows, functions, *words):
    """In the words of otf2-print: calls nest, messages and counters are those
    of the log, times by function those of the report.  Returns (location,
    begin, end) of what is open, less the first time."""
    path = os.path.join(export('.otf2', *words), 'trace.otf2')
    r = subprocess.run(['otf2-print', path], capture_output=True, text=True)
    if r.returncode != 0 or r.stderr:
        wrong.append(f'otf2: otf2-print ends with {r.returncode}: '
                     f'{r.stderr[:200]}')
    begin = begin_of(rows, words)
    stack, last, spans = defaultdict(list), {}, Counter()
    told, counters, self_ns = Counter(), Counter(), Counter()
    for kind, loc, t, rest, more in OTF2_LINE.findall(r.stdout):
        loc, t = int(loc), int(t)
        region = rest.partition('Region: ')[2]
        if kind in ('ENTER', 'LEAVE'):
            frames = [f for f in stack[loc] if not f[2]]
            if frames:
                self_ns[frames[-1][1]] += t - last[loc]
            last[loc] = t
        if kind == 'ENTER':
            name = region.rsplit('"', 2)[1]
            stack[loc].append((t, name, name in WAIT_NAMES, region))
        elif kind == 'LEAVE':
            if not stack[loc] or stack[loc][-1][3] != region:
                wrong.append(f'otf2: LEAVE {region} at {t} of {loc}')
                return None
            spans[loc, stack[loc].pop()[0], t] += 1
        elif kind == 'METRIC':
            members = OTF2_VALUE.findall(rest)
            if not re.match(rf'Metric: \d+, {len(members)} Value', rest):
                wrong.append(f'otf2: {len(members)} members of {rest}')
            counters[loc, t, tuple((m[0], float(m[2])) for m in members),
                     tuple(m[:2] for m in OTF2_VALUE.findall(more))] += 1
        else:
            m = re.match(r'\w+: (\d+) .*Tag: (\d+), Length: (\d+)', rest)
            told[kind, loc, t, int(m[1]), int(m[2]), int(m[3])] += 1
    for loc, left in stack.items():
        if left:
            wrong.append(f'otf2: {loc} is left with {left[:2]}')
    sent = {r[7]: r for r in rows if r[4] == 'send' and r[7] != 0}
    should = Counter()
    for r in rows:
        if r[4] == 'receive' and r[7] in sent:
            s = sent[r[7]]
            should['MPI_SEND', s[2], s[0] - begin, r[2], s[9], s[8]] += 1
            should['MPI_RECV', r[2], r[0] - begin, s[2], r[9], r[8]] += 1
    differ('otf2: messages', told, should)
    differ('otf2: counters', counters, otf2_counters(rows, begin))
    if functions is not None:
        differ('otf2: self time', Counter(
            {n: self_ns[n] for n in functions if self_ns[n]}), functions)
    return spans


WAIT_NAMES = set(WAITS)


def look_at_waits():
    """What locks and the like are called: so are the waits for them."""
    WAIT_NAMES.update(r[0] for r in sqlite(
        os.path.join(place, 'x.sqlite'), 'SELECT DISTINCT text FROM events '
        "JOIN names ON name = c WHERE kind IN ('lock_wait', 'cond_wait', "
        "'sem_wait', 'rpc_call', 'io_wait', 'system_wait')"))


def real(v):
    return struct.unpack('<d', v.to_bytes(8, 'little'))[0]


def begin_of(rows, words):
    """Where formats that begin at 0 do so."""
    if '--from' in words:
        return run['start'] + round(float(words[1]) * 1e9)
    return rows[0][0]


def paje_own(rows, begin):
    """(location, time, words) of events of declared kinds."""
    told = Counter()
    for t, at, _, _, kind, fields in own_rows(rows):
        words = [f'{v:.17g}' if type_ == 'real' else f'0x{v:x}' if type_ == 'id'
                 else (names.get(v, '') if v != 0 else '-') if type_ == 'name'
                 else str(int(v))
                 for _, type_, _, v in fields] if whole(fields) else []
        told[at, t - begin, ', '.join([kind, *words])] += 1
    return told


def check_paje(rows, spans, *words):
    """In the words of pj_dump: states as otf2 has them, links, variables."""
    path = export('.paje', *words)
    r = subprocess.run(['pj_dump', '-u', '-l', '9', path], capture_output=True,
                       text=True)
    if r.returncode != 0 or r.stderr:
        wrong.append(f'paje: pj_dump ends with {r.returncode}: '
                     f'{r.stderr[:200]}')
    def ns(text):
        return round(float(text) * 1e9)

    states, links, events = Counter(), Counter(), Counter()
    for line in r.stdout.splitlines():
        w = line.split(', ')
        if w[0] == 'State':
            states[run['where'].get(w[1], 0), ns(w[3]), ns(w[4])] += 1
        if w[0] == 'Link':
            links[tuple(run['where'].get(p) for p in w[7:9]) +
                  (ns(w[3]), ns(w[4]), int(w[6]))] += 1
        if w[0] == 'Event':
            events[run['where'].get(w[1], 0), ns(w[3]), ', '.join(w[4:])] += 1
    begin = begin_of(rows, words)
    if spans is not None:
        # pj_dump is silent about a state that begins when all ends
        last = rows[-1][0] - begin
        differ('paje: states', *(Counter({k: n for k, n in of.items()
            if k[1] != last}) for of in (states, spans)))
    sent = {r[7]: r for r in rows if r[4] == 'send' and r[7] != 0}
    differ('paje: messages', links, Counter(
        (sent[r[7]][2], r[2], sent[r[7]][0] - begin, r[0] - begin,
         sent[r[7]][8]) for r in rows if r[4] == 'receive' and r[7] in sent))
    differ('paje: instants', sum(events.values()), sum(
        r[4] not in BEGINS | WAITS | ENDS | COUNTERS | {'own_more'}
        for r in rows))
    own = paje_own(rows, begin)
    differ('paje: declared kinds', events & own, own)


run = {}


def look_at_run():
    """Of the whole run, which is in x.csv: where it is 0, and who is where."""
    with open(os.path.join(place, 'x.csv'), newline='') as f:
        told = list(csv.DictReader(f))
    run['start'] = (int(told[0]['t_mon_ns']) -
                    round(float(told[0]['time_s']) * 1e9))
    run['where'] = {f'{r["node"]}/{r["po"]}.{r["thread"]}': int(r['location'])
                    for r in told if r['node']}


def check_folded(functions, names):
    told = Counter()
    with open(export('.folded')) as f:
        for line in f:
            path, ns = line.rstrip('\n').rsplit(' ', 1)
            told[path.split(';')[-1]] += int(ns)
    differ('folded', Counter({n: told[n] for n in names if told[n]}),
           functions)
    with open(export('.speedscope.json')) as f:
        doc = json.load(f)
    scoped, frames = Counter(), doc['shared']['frames']
    for p in doc['profiles']:
        differ('speedscope: weights', len(p['weights']), len(p['samples']))
        differ('speedscope: end', sum(p['weights']), p['endValue'])
        for path, ns in zip(p['samples'], p['weights']):
            scoped[frames[path[-1]]['name'].replace(';', ':')] += ns
    differ('speedscope', scoped, told)


def signed(v):
    return v - (1 << 64) if v >= 1 << 63 else v


def sqlite(path, sql):
    """Rows in the words of sqlite3's own shell."""
    out = subprocess.run(['sqlite3', '-json', path, sql], check=True,
                         capture_output=True, text=True).stdout
    return [tuple(r.values()) for r in json.loads(out or '[]')]


def whole_spans(rows):
    """(location, kind, begin, end) of calls that are over, by a stack of our
    own; of threads in which nothing but calls that match lies open."""
    stack, spans, odd = defaultdict(list), Counter(), set()
    for t, _, loc, _, kind, _, _, a, _, c in rows:
        if kind == 'enter':
            stack[loc].append((t, c))
        elif kind == 'leave':
            if not stack[loc] or stack[loc][-1][1] != c:
                odd.add(loc)
            else:
                spans[loc, stack[loc].pop()[0], t] += 1
        elif kind in ('lost', 'thread_end', 'po_end', 'task_suspend'):
            odd.add(loc)
    return odd | {loc for loc, s in stack.items() if s}, spans


LOCKS = 1 << 6  # the class of locks, in a choice


def silent(row, places):
    """Of whose locks nothing is told from this event on."""
    kind, at, a, b, c = row[4], row[2], *row[7:10]
    process = {x for x in places if places[x] == places[at]}
    if kind == 'lost':
        return {at}
    if kind == 'po_end' or kind == 'choice' and b & ~a & LOCKS:
        return process
    if kind == 'muted' and a & ~b & LOCKS:
        return process if c else {at}
    return set()


def true_holds(rows, places):
    """(lock, location, from, to), by lists of who has taken it."""
    holders, found, last = defaultdict(list), Counter(), {}

    def over(lock, i, t):
        at, since, _ = holders[lock].pop(i)
        found[signed(lock), at, since, t] += 1

    for row in rows:
        t, at, kind, lock = row[0], row[2], row[4], row[7]
        those = silent(row, places) if at else set()
        for of in holders if those else ():
            for i in reversed(range(len(holders[of]))):
                if holders[of][i][0] in those:
                    over(of, i, last.get(at, t) if kind == 'lost' else t)
        last[at] = t
        mine = [i for i, h in enumerate(holders[lock]) if h[0] == at] \
            if kind in ('lock_acquire', 'lock_release') else []
        if kind == 'lock_acquire' and mine:
            holders[lock][mine[0]][2] += 1
        elif kind == 'lock_acquire':
            holders[lock].append([at, t, 1])
        elif kind == 'lock_release' and holders[lock]:
            i = mine[0] if mine else 0
            holders[lock][i][2] -= 1
            if holders[lock][i][2] == 0:
                over(lock, i, t)
    for lock in holders:
        while holders[lock]:
            over(lock, 0, rows[-1][0])
    return found


def check_holds(path, rows):
    places = {loc: (node, po) for loc, node, po in sqlite(
        path, 'SELECT location, node, po FROM threads')}
    differ('sqlite: holds', Counter(sqlite(
        path, 'SELECT lock, location, from_ns, to_ns FROM holds')),
        true_holds(rows, places))


def check_sqlite(rows):
    path = export('.sqlite')
    told = sqlite(path, 'SELECT * FROM events ORDER BY rowid')
    differ('sqlite: events', [list(r) for r in told],
           [[signed(w) if i in (7, 8) else w for i, w in enumerate(r)]
            for r in rows])
    odd, spans = whole_spans(rows)
    told = Counter()
    for loc, begin, end, lasts, n in sqlite(
            path, 'SELECT location, begin_ns, end_ns, duration_ns, count(*) '
            "FROM spans WHERE kind = 'enter' GROUP BY 1, 2, 3"):
        told[loc, begin, end] = n
        if lasts != end - begin:
            wrong.append(f'sqlite: {begin} to {end} lasts {lasts}')
    differ('sqlite: calls',
           Counter({k: n for k, n in told.items() if k[0] not in odd}),
           Counter({k: n for k, n in spans.items() if k[0] not in odd}))
    check_holds(path, rows)
    differ('sqlite: messages',
           sqlite(path, 'SELECT count(*) FROM messages')[0][0], messages(rows))
    sent = {r[7]: r[0] for r in rows if r[4] == 'send' and r[7] != 0}
    got = Counter((r[0] - sent[r[7]], r[8]) for r in rows
                  if r[4] == 'receive' and sent.get(r[7], 1 << 63) < r[0])
    if len(sent) == sum(r[4] == 'send' and r[7] != 0 for r in rows):
        differ('sqlite: transit', Counter(
            sqlite(path, 'SELECT transit_ns, bytes FROM messages')), got)
    differ('sqlite: own', sqlite(path, 'SELECT * FROM own'), [
        (t, at, seq, kind, n, *[shown(f, 'sql') for f in fields],
         *[None] * (8 - len(fields)))
        for t, at, seq, n, kind, fields in own_rows(rows)])
    for kind in {k for _, _, _, _, k, _ in own_rows(rows)}:
        differ(f'sqlite: {kind}', sqlite(
            path, f'SELECT * FROM "own_{kind}"'), [
                (t, at, seq, *[shown(f, 'sql') for f in fields])
                for t, at, seq, _, k, fields in own_rows(rows) if k == kind])
    told = {f'{n}/{p}.{t}': loc for loc, n, p, t in sqlite(
        path, 'SELECT location, nodes.name, po, thread FROM threads '
        'JOIN nodes USING (node)')}
    differ('sqlite: threads', {w: told.get(w) for w in run['where']},
           run['where'])
    differ('sqlite: integrity', sqlite(path, 'PRAGMA integrity_check'),
           [('ok',)])


def query(sql):
    """Rows in the words of monitorctl query."""
    out = subprocess.run([monitorctl, 'query', '--json', log, sql], check=True,
                         capture_output=True, text=True).stdout
    return [tuple(r.values()) for r in json.loads(out)]


def told(ask, sql):
    """Rows and how many of each; of a fraction as many digits as both have."""
    return Counter(tuple(f'{v:.12g}' if isinstance(v, float) else v
                         for v in row) for row in ask(sql))


def check_query(rows):
    """All events, and some by what a query may say of them; the rest as the
    file of SQLite has it, which has been looked at."""
    rows = [[signed(w) if i in (7, 8) else w for i, w in enumerate(r)]
            for r in rows]
    differ('query', [list(r) for r in query('SELECT * FROM events')], rows)
    n = len(rows)
    for i in range(0, n, n // 7 + 1):
        t, loc, kind = rows[i][0], rows[i][2], rows[i][4]
        to = rows[min(n - 1, i + n // 5)][0]
        for where, true in (
                (f't_mon_ns >= {t} AND t_mon_ns < {to}',
                 lambda r: t <= r[0] < to),
                (f't_mon_ns > {t} AND t_mon_ns <= {to}.5',
                 lambda r: t < r[0] <= to),
                (f't_mon_ns = {t}', lambda r: r[0] == t),
                (f'location = {loc} AND kind = \'{kind}\'',
                 lambda r: r[2] == loc and r[4] == kind),
                (f'kind = \'{kind}\' AND t_mon_ns < {to}',
                 lambda r: r[4] == kind and r[0] < to),
                (f'location IN ({loc}, 1) ', lambda r: r[2] in (loc, 1))):
            differ(f'query: {where}', query(
                f'SELECT count(*), sum(seq) FROM events WHERE {where}'),
                [(sum(map(true, rows)),
                  sum(r[3] for r in rows if true(r)) if any(map(true, rows))
                  else None)])
    path = os.path.join(place, 'x.sqlite')
    for table in ('runs', 'kinds', 'nodes', 'processes', 'threads', 'names',
                  'spans', 'links', 'holds', 'messages', 'own'):
        differ(f'query: {table}', told(query, f'SELECT * FROM {table}'),
               told(lambda sql: sqlite(path, sql), f'SELECT * FROM {table}'))
    kind = max(Counter(r[4] for r in rows).items(), key=lambda k: k[1])[0]
    for where in ('location = 1', f"kind = '{kind}'", "kind = 'enter'",
                  "kind = 'send'", "kind = 'no such kind'"):
        for table in ('spans', 'links'):
            sql = f'SELECT * FROM {table} WHERE ' + where.replace(
                'location', 'to_location' if table == 'links' else 'location')
            differ(f'query: {sql}', Counter(query(sql)),
                   Counter(sqlite(path, sql)))


BT_LINE = re.compile(
    r'\[(\d+)\.(\d{9})\] \(\+[0-9.?]+\) (\S+): \{ thread = \( (.*) : '
    r'container = (\d+) \), seq = (\d+), t_node_ns = (-?\d+), shift_ns = '
    r'(\d+), flags = (\d+) \}, \{ (.*?) ?\}$')
BT_WORD = re.compile(r'(\w+) = (?:\( (?:.*?) : container = (\d+) \)|'
                     r'(0x[0-9A-F]+)|([^ ,]+))(?:, |$)')
WIDE, HALF = (1 << 64) - 1, (1 << 32) - 1


def check_ctf(rows, kinds, *words):
    """Each event in the words of babeltrace2, and that it has no complaint."""
    path = export('.ctf', *words)
    r = subprocess.run(['babeltrace2', '--clock-seconds', path],
                       capture_output=True, text=True)
    lost = sum(row[7] for row in rows if row[4] == 'lost')
    noise = [w for w in r.stderr.splitlines() if w]
    told = sum(int(m[1]) for m in
               re.finditer(r'Tracer discarded (\d+) event', r.stderr))
    differ('ctf: discarded', told, lost)
    if r.returncode != 0 or len(noise) > (lost > 0):
        wrong.append(f'ctf: babeltrace2 ends with {r.returncode}: {noise[:3]}')
    env = open(os.path.join(path, 'metadata')).read()
    base = (int(re.search(r'start_real_ns = (-?\d+)', env)[1]) -
            int(re.search(r'start_mon_ns = (-?\d+)', env)[1]))
    got, own = [], {e[1:3]: e[4:] for e in own_rows(rows) if whole(e[5])}
    for line in r.stdout.splitlines():
        m = BT_LINE.match(line)
        if m is None:
            wrong.append(f'ctf: {line[:200]}')
            return
        values = [int(w[2] or w[3] or 0, 0) if w[2] or w[3] else w[4]
                  for w in BT_WORD.finditer(m[10])]
        if m[3] not in kinds:
            told = own.get((int(m[5]), int(m[6])), (None, []))[1]
            values = [(w[1], said(type_, v)) for w, v, (_, type_, *_) in zip(
                BT_WORD.finditer(m[10]), values, told)]
        got.append([int(m[1] + m[2]) - base, int(m[7]), int(m[5]), int(m[6]),
                    m[3], int(m[9]), int(m[8]), values])
    should = []
    for row in rows:
        told = [w for i, w in enumerate(row[7:])
                if kinds[row[4]][i] is not None]
        if row[4] == 'own' and (row[2], row[3]) in own:
            kind, fields = own[row[2], row[3]]
            should.append([*row[:4], kind, *row[5:7], [
                (f[0], said(f[1], f[3])) for f in fields]])
        elif row[4] != 'own_more':
            should.append(row[:7] + [told])
    # real numbers are told in decimal, signed ones with their sign
    for g in got:
        if g[4] in kinds:
            g[7] = [kinds[g[4]].said(i, v) for i, v in enumerate(g[7])]
    for s in should:
        if s[4] in kinds:
            s[7] = [kinds[s[4]].true(i, v) for i, v in enumerate(s[7])]
    differ('ctf', got, should)


def said(type_, v):
    return f'{float(v):.5g}' if type_ == 'real' else int(v)


class Words(list):
    """What the words of a kind are; None: nothing."""

    def some(self):
        return [w for w in self if w is not None]

    def said(self, i, v):
        if self.some()[i] == 'real':
            return f'{float(v):.5g}'
        return int(v)

    def true(self, i, v):
        kind = self.some()[i]
        if kind == 'real':
            return f'{struct.unpack("<d", v.to_bytes(8, "little"))[0]:.5g}'
        return signed(v) if kind == 'value' else v


def kinds_of(path):
    return {r[0]: Words(w.partition(':')[2] if w else None for w in r[1:])
            for r in sqlite(path, 'SELECT name, a, b, c FROM kinds')}


def check_options(rows):
    """Each of node, po, thread and kind, of dump and of csv, against the rows
    of everything."""
    with open(export('.csv'), newline='') as f:
        told = list(csv.DictReader(f))
    where = {int(r['location']): r for r in told}
    for option, column in (('node', 'node'), ('po', 'po'),
                           ('thread', 'thread'), ('kind', 'kind')):
        # the least frequent one, and what it should leave of all
        n = Counter(r[column] for r in told
                    if r[column] not in ('', '0') or option == 'kind')
        value = min(n, key=lambda v: (n[v], v))
        part = [r for r in rows if value ==
                (r[4] if option == 'kind' else where[r[2]][column])]
        if value == 'own':  # what more they say comes with them
            part = [r for r in rows if r[4] in ('own', 'own_more')]
        # of a single one it is all
        if not 0 < len(part) < len(rows) + (len(n) == 1):
            wrong.append(f'--{option} {value}: {len(part)} of {len(rows)}')
        differ(f'dump --{option}', dump(f'--{option}', value), part)
        check_csv(part, f'--{option}', value)


def main():
    rows = dump()
    functions = Counter()
    report = json.loads(tell('report', '--json'))
    for f in report['functions']:
        functions[f['name']] += f['self_ns']
    names = set(functions)
    others = {f['name'] for f in report['phases']}
    check_csv(rows)
    look_at_run()
    check_chrome(rows, +functions)
    # phases and functions of one name cannot be told apart in a line of text
    if not names & others:
        check_folded(+functions, names)
    # the middle third
    at, to = ((rows[i * len(rows) // 3][0] - run['start']) / 1e9
              for i in (1, 2))
    words = ['--from', f'{at:.9f}', '--to', f'{to:.9f}']
    part = dump(*words)
    if not 0 < len(part) < len(rows):
        wrong.append(f'a range has {len(part)} of {len(rows)} events')
    check_csv(part, *words)
    check_chrome(part, None, *words)
    check_options(rows)
    check_sqlite(rows)
    check_query(rows)
    # where a function has the name of something else, regions are of both
    look_at_waits()
    alone = +functions if not names & (others | WAIT_NAMES) else None
    check_paje(rows, check_otf2(rows, alone))
    kinds = kinds_of(os.path.join(place, 'x.sqlite'))
    check_ctf(rows, kinds)
    check_ctf(part, kinds, *words)
    check_paje(part, check_otf2(part, None, *words), *words)
    for w in wrong[:20]:
        print(w)
    return len(wrong) > 0


sys.exit(main())
