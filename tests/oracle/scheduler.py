"""What the scheduler did with threads, from its records: the state of a thread
at each nanosecond of its life."""

KINDS = {"sched_in", "sched_out", "sched_new", "sched_gone"}


def state_after(e):
    if e.kind == "sched_in":
        return "running"
    return "ready" if e.kind == "sched_new" or e.c else "blocked"


def report_scheduler(run):
    since, way, ended, threads, found = {}, {}, {}, {}, []
    for e in run.events:
        place = run.known.place(e.at)
        if e.kind == "sched_from":
            since[place], way[place] = e.t, run.known.name(e.c)
        elif e.kind == "po_end":
            ended[place] = e.t
        elif e.kind in KINDS:
            threads.setdefault((place, e.a), []).append(e)
    for (place, tid), events in threads.items():
        # (from when, in which state), up to the end
        steps = [(e.t, state_after(e)) for e in events]
        end = steps[-1][0]
        if events[0].kind == "sched_out":
            steps.insert(0, (since[place], "running"))
        if events[-1].kind == "sched_gone":
            steps.pop()
        else:
            end = max(end, ended.get(place, run.last))
        times = {"running": 0, "ready": 0, "blocked": 0}
        for i, (t, state) in enumerate(steps):
            times[state] += (steps[i + 1][0] if i + 1 < len(steps) else
                end) - t
        begun = steps[0][0] if steps else end
        found.append({"po": f"{run.known.node_name(place[0])}/{place[1]}",
            "id": tid, "life_ns": end - begun,
            **{f"{s}_ns": n for s, n in times.items()},
            "switches": sum(e.kind == "sched_in" for e in events),
            "preempted": sum(e.kind == "sched_out" and e.c != 0 for e in
                events), "known_by": way[place]})
    return found
