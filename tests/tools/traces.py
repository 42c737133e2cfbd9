#!/usr/bin/env python3
"""traces.py MONITORCTL DIR [RECORDS]: traces of others, made here, imported
and held, as dump --raw has them, against what they were made of.  With RECORDS
only a PICL trace of so many records is written to DIR/big.picl."""
import gzip
import json
import os
import random
import subprocess
import sys
from collections import Counter, defaultdict

monitorctl, place = sys.argv[1:3]
wrong = []
WORD = {1: 'trace_start', 2: 'open', 4: 'send', 5: 'probe', 6: 'recv',
        7: 'recv_blocking', 8: 'recv_waking', 10: 'sync', 11: 'compstats',
        12: 'commstats', 13: 'close', 15: 'trace_mark', 16: 'trace_message',
        18: 'trace_flush', 19: 'trace_exit', 20: 'block_begin',
        21: 'block_end'}
LABEL = {1: 'event {} compstats {} commstats {}', 4: 'to {} type {} lth {}',
         5: 'type {}', 6: 'from {} type {} lth {}', 7: 'type {}',
         8: 'from {} type {} lth {}', 11: 'busy {} {} idle {} {}',
         12: 'received {} volume {} sent {} volume {} probed {}',
         15: 'type {}', 16: '{}', 18: 'finished {} {}', 19: 'space {}',
         20: 'block_type {} location_type {} parameter_type {}',
         21: 'block_type {} location_type {} parameter_type {}'}


def picl_run(rnd, nodes, rounds):
    """(id, us, node, fields...) in order of time: a ring that talks, works in
    blocks and tells its statistics."""
    now = [rnd.randrange(50) for _ in range(nodes)]
    out = []

    def put(node, kind, *fields):
        now[node] += rnd.randrange(1, 40)
        out.append((now[node], node, kind, fields))

    for n in range(nodes):
        put(n, 1, 1, 1, 1)
    for i in range(rounds):
        blocks = [rnd.choice((-1, 3, 4)) for _ in range(nodes)]
        for n in range(nodes):
            put(n, 20, blocks[n], 0, 7)
        for n in range(nodes):
            to = (n + 1) % nodes
            put(n, 4, to, i % 3, 100 + i)
            sent = now[n]
            if rnd.random() < .5:
                put(to, 7, i % 3)
                now[to] = max(now[to], sent)
                put(to, 8, n, i % 3, 100 + i)
            else:
                now[to] = max(now[to], sent)
                put(to, 6, n, i % 3, 100 + i)
        for n in range(nodes):
            put(n, 21, blocks[n], 0, 7)
            put(n, 11, i, 5, i, 17)
    for n in range(nodes):
        put(n, 16, 'the end of it')
        put(n, 19, 1000)
    return sorted(out, key=lambda r: r[0])


def compact(run):
    return ''.join(f'{k} {t // 1000000} {t % 1000000} {n}'
                   f'{"".join(" " + str(f) for f in fields)}\n'
                   for t, n, k, fields in run)


def verbose(run):
    return ''.join(
        f'{WORD[k]} clock {t // 1000000} {t % 1000000} node {n} '
        f'{LABEL.get(k, "").format(*fields)}\n' for t, n, k, fields in run)


def imported(name, data, *words, code=0, says=None, log='made.orr'):
    path = os.path.join(place, name)
    log = os.path.join(place, log)
    with open(path, 'wb') as f:
        f.write(data if isinstance(data, bytes) else data.encode())
    if os.path.exists(log):
        os.unlink(log)
    r = subprocess.run([monitorctl, 'import', *words, '-o', log, path],
                       capture_output=True, text=True)
    if r.returncode != code:
        wrong.append(f'{name}: ends with {r.returncode}: {r.stderr[:300]}')
    if says is not None and says not in r.stderr:
        wrong.append(f'{name}: does not say "{says}": {r.stderr[:300]}')
    if not os.path.exists(log):
        return None
    r = subprocess.run([monitorctl, 'check', log], capture_output=True,
                       text=True)
    if r.returncode != 0:
        wrong.append(f'{name}: check: {r.stdout[:400]}')
    for command in ('report',):
        subprocess.run([monitorctl, command, log], check=True,
                       capture_output=True)
    out = subprocess.run([monitorctl, 'dump', '--raw', log], check=True,
                         capture_output=True, text=True).stdout
    return [[int(w) if i != 4 else w for i, w in enumerate(line.split('\t'))]
            for line in out.splitlines()[1:]]


def differ(what, is_, should):
    if is_ != should:
        wrong.append(f'{what}: {str(is_)[:300]} and not {str(should)[:300]}')


KINDS = {1: ['note'], 4: ['send'], 6: ['receive'], 7: ['receive_wait'],
         8: ['receive'], 11: ['counter', 'counter'], 16: ['note'],
         19: ['note'], 20: ['phase_begin'], 21: ['phase_end']}


def check_picl(name, rows, run):
    if rows is None:
        wrong.append(f'{name}: no log')
        return
    should = sorted((t * 1000, kind) for t, _, k, _ in run for kind in KINDS[k])
    differ(name + ': kinds and times',
           sorted((r[1], r[4]) for r in rows), should)
    # messages: the k-th of a channel is the k-th of it
    channel = defaultdict(list)
    for t, n, k, f in run:
        if k == 4:
            channel[n, f[0], f[1]].append(t * 1000)
    took = Counter()
    pairs = Counter()
    for t, n, k, f in run:
        if k in (6, 8):
            key = f[0], n, f[1]
            pairs[channel[key][took[key]], t * 1000, f[2], f[1]] += 1
            took[key] += 1
    sent = {r[7]: r[1] for r in rows if r[4] == 'send'}
    differ(name + ': messages', Counter(
        (sent.get(r[7]), r[1], r[8], r[9]) for r in rows if r[4] == 'receive'),
        pairs)


def check_formats(rnd):
    run = picl_run(rnd, 5, 40)
    logs = []
    for name, data in (('compact', compact(run)), ('verbose', verbose(run)),
                       ('packed.gz', gzip.compress(compact(run).encode())),
                       ('ends', compact(run).replace('\n', '\r\n')),
                       # of one node after the other, as they are flushed
                       ('nodes', compact(sorted(run, key=lambda r: r[1])))):
        rows = imported('picl-' + name, data)
        check_picl(name, rows, run)
        logs.append([r[:2] + r[4:7] for r in rows or []])
    for other in logs[1:4]:
        differ('forms of one trace', other, logs[0])
    return run


def check_skew(rnd):
    """Clocks that are apart: receives stand behind their sends all the same."""
    run = picl_run(rnd, 4, 60)
    run = sorted(((t + 100000 + n % 2 * 777, n, k, f) for t, n, k, f in run),
                 key=lambda r: r[0])
    rows = imported('picl-skew', compact(run))
    check_picl('skew', rows, run)
    if not any(r[6] > 0 for r in rows):
        wrong.append('skew: nothing was moved')
    # everybody has received before anybody has sent
    circle = ['6 0 10 0 1 0 8', '6 0 10 1 0 0 8',
              '4 0 20 0 1 0 8', '4 0 20 1 0 0 8']
    rows = imported('picl-circle', '\n'.join(circle) + '\n')
    differ('circle', sorted(r[4] for r in rows), ['receive'] * 2 + ['send'] * 2)
    rows = imported('picl-orphan', '6 0 10 0 1 0 8\n4 0 20 0 1 0 8\n')
    differ('orphan', [r[5] for r in rows], [2, 0])


QUICKSORT = '''4
0 1 0 1 0 0
18229 3 0 2 0 1
20946 5 0 3 0 2
22456 6 0 4 0 3
23511 3 3 1 0 2
25823 6 0 5 0 4
26935 3 2 1 0 2
28701 6 0 6 0 5
29783 6 2 2 2 1
30638 4 0 7 0 6
31719 3 1 1 2 1
33587 4 3 2 3 1
34680 5 2 3 2 2
35535 2 3 3 3 1
36602 2 1 2 3 1
37462 4 2 4 2 3
38310 3 3 4 2 1
39358 4 1 3 1 1
40210 4 3 5 3 4
41349 2 0 8 1 1
42479 2 2 5 3 4
43339 2 0 9 3 4
44473 2 1 4 1 1
'''


def check_vista():
    """The thesis' quicksort of 23 reductions: its tree, its widths."""
    table = os.path.join(place, 'clauses')
    with open(table, 'w') as f:
        f.write('call clause 3 "qsort/2"\n')
    rows = imported('quicksort', QUICKSORT, '--records', table)
    parent = {r[7]: r[8] for r in rows if r[4] == 'task_spawn'}
    begun = {r[7]: r[1] for r in rows if r[4] == 'task_begin'}
    ended = {r[7]: r[1] for r in rows if r[4] == 'task_end'}
    spawned = {r[7]: r[1] for r in rows if r[4] == 'task_spawn'}
    differ('vista: tasks', (len(parent), len(begun), len(ended)),
           (23, 23, 23))
    level, widths = {0: -1}, Counter()
    for task in sorted(begun, key=lambda t: begun[t]):
        level[task] = level[parent[task]] + 1
        widths[level[task]] += 1
    differ('vista: widths', [widths[i] for i in range(7)],
           [1, 1, 3, 7, 8, 2, 1])
    for task in begun:
        if parent[task] and spawned[task] != begun[parent[task]]:
            wrong.append(f'vista: {task} is not made by its parent')
    lines = [line.split() for line in QUICKSORT.splitlines()[1:]]
    differ('vista: times', sorted(begun.values()),
           [int(line[0]) * 1000 for line in lines])
    of = defaultdict(list)
    for line in lines:
        of[line[2]].append(int(line[0]) * 1000)
    differ('vista: ends', sorted(ended.values()), sorted(
        t for ts in of.values() for t in ts[1:] + ts[-1:]))
    names = subprocess.run(
        [monitorctl, 'report', '--json', os.path.join(place, 'made.orr')],
        check=True, capture_output=True, text=True).stdout
    told = {p['name']: p for p in json.loads(names)['tasks']['procedures']}
    differ('vista: qsort/2', 'qsort/2' in told and '6' in told, True)
    rows = imported('quicksort', QUICKSORT, '--unit', 'ms')
    differ('vista: ms', max(r[1] for r in rows), 44473 * 1000000)
    rows = imported('lost-parent', '2\n0 1 0 1 0 0\n5 1 0 2 1 7\n', code=65,
                    says='line 3: its pindex 7 has not been')
    differ('vista: lost parent', rows, None)
    imported('seven', '2\n0 1 0 1 0 0 9\n', '--format', 'vista', code=65,
             says='line 2: it has 7 numbers, expected time clause pe')
    imported('word', '2\n0 1 zero 1 0 0\n', '--format', 'vista', code=65,
             says='line 2: zero is no number')


TABLE = '''# of a scheduler that writes what it does
begins alike
between ,
head when cpu
time when s
place cpu cpu
record what$ thing$ size
    enter function=what
    counter_real value=size counter="size of {thing}"
    leave function=what
record text*
    note text=text
'''


def check_table():
    """Another format, by a table; more for a record that is known (K7)."""
    table = os.path.join(place, 'table')
    with open(table, 'w') as f:
        f.write(TABLE)
    rows = imported('own', '0.5,0,run,queue,1.25\n1.000001,1,"not so"\n',
                    '--records', table, '--format', 'records', code=0)
    differ('table', [(r[1], r[4]) for r in rows or []], [
        (500000000, 'enter'), (500000000, 'counter_real'),
        (500000000, 'leave'), (1000001000, 'note')])
    with open(table, 'w') as f:
        f.write('record 4 send to type length\n'
                ' counter value=length counter="bytes to n{to}"\n'
                'record 90 alarm level\n note value=level text="alarm"\n')
    rows = imported('more', '4 0 1 0 1 0 64\n90 0 2 0 7\n', '--records', table)
    differ('two of one', [r[4] for r in rows or []],
           ['send', 'counter', 'note'])
    for text, says in (
            ('record 4 send to\n sent x=1\n', 'line 2: sent: expected a kind'),
            ('record 4 send to\n send message=to size=lth\n',
             'line 2: lth: expected a number, a field'),
            ('record 4 send to\n send message=put(to,from)\n',
             'line 2: (from: expected up to 4 fields'),
            ('record 4 send to\n lost records=to\n', 'line 2: lost: expected'),
            ('time sec h\n', 'line 1: time: sec: expected'),
            ('time sec h usec us\n', 'line 1: time: sec: expected'),
            ('record x\n', 'line 1: record: expected'),
            ('call block 1 "a\n', 'line 1: a " is not closed'),
            ('what\n', 'line 1: what: expected begins')):
        with open(table, 'w') as f:
            f.write(text)
        imported('bad-table', '4 0 1 0 1 0 64\n', '--records', table, code=65,
                 says=says)


def check_bad(run):
    text = compact(run)
    cut = text[:text.index('\n4 ') + 6]
    n = cut.count('\n') + 1
    differ('cut', imported('cut', cut, code=65, says=f'line {n}: send has'),
           None)
    differ('cut says so', imported(
        'cut', cut, code=65, says='the file ends here, without a newline'),
        None)
    rows = imported('cut', cut, '--keep', code=65, says=f'line {n}: send')
    differ('cut, kept', len(rows), n - 1)
    imported('unknown', '4 0 1 0 1 0 64\n77 0 2 0\n', code=65,
             says='line 2: record 77 is not known; expected one of')
    imported('back', '4 0 5 0 1 0 64\n4 0 4 0 1 0 64\n', code=65,
             says='line 2: it is at 0.000004000 s, expected no earlier than '
             '0.000005000 s, where its place was in line 1')
    rows = imported('back', '4 0 5 0 1 0 64\n4 0 4 0 1 0 64\n'
                    '4 0 6 0 1 0 64\n', '--keep', code=65)
    differ('back, kept', [r[1] for r in rows], [5000, 6000])
    imported('empty', '', code=65, says='it has 0 bytes, expected')
    imported('empty', '', '--format', 'picl', code=65,
             says='it has 0 bytes; expected records')
    packed = gzip.compress(text.encode())
    imported('half.gz', packed[:len(packed) // 2], code=65,
             says='expected more of what gzip has packed')
    rows = imported('half.gz', packed[:len(packed) // 2], '--keep', code=65)
    if not 0 < len(rows) < len(run) + 400:
        wrong.append(f'half.gz, kept: {len(rows)}')
    flipped = bytearray(packed)
    flipped[len(flipped) // 2] ^= 0x55
    imported('flipped.gz', bytes(flipped), '--format', 'picl', code=65,
             says='line ')
    imported('twice.gz', gzip.compress(packed), '--format', 'picl', code=65,
             says='packed by gzip once more; unpack it once')
    imported('twice.gz', gzip.compress(packed), code=65, says='expected')
    imported('binary', bytes(range(256)) * 20, '--format', 'picl', code=65,
             says='line 1: ')
    imported('far', '4 99999999999 0 0 1 0 64\n', code=65,
             says='line 1: its time is beyond 73 years')
    imported('none', '# nothing\n', '--format', 'picl', code=65,
             says='no record is in it')
    imported('long', '4 ' * 40000, '--format', 'picl', code=65,
             says='expected a line of no more than 65,536 bytes')


def main():
    rnd = random.Random(7)
    if len(sys.argv) > 3:
        run = picl_run(rnd, 16, int(sys.argv[3]) // 88)
        with open(os.path.join(place, 'big.picl'), 'w') as f:
            f.write(compact(run))
        print(len(run))
        return 0
    run = check_formats(rnd)
    check_skew(rnd)
    check_vista()
    check_table()
    check_bad(run)
    for w in wrong[:20]:
        print(w)
    return len(wrong) > 0


sys.exit(main())
