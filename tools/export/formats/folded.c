/*
 * Time by call path: folded stacks, a line a path with its ns, as flame graphs
 * are made of, and the same as a file for speedscope, a profile a thread.
 *
 * Time is that of the path itself, not of what it calls, and waits are part of
 * who waits, so that the sums by function are those of monitorctl report.  A
 * function that calls itself stays one frame.
 */
#include <errno.h>
#include <stdlib.h>

#include "intmap.h"
#include "tools/export/places.h"
#include "tools/export/story.h"

struct node {                         /* 0 is none */
	uint32_t parent, first, next; /* its children, newest first */
	uint32_t name;                /* of a root: the location */
	uint8_t span;
	int64_t self_ns;
};

struct lane { /* of a location */
	uint32_t root, cap, depth;
	uint32_t *at; /* node by depth */
	int64_t since_mon_ns;
};

struct folded {
	const struct export_of *of;
	struct out *out;
	struct story *story;
	struct places places;
	struct node *nodes;
	size_t n, cap;
	struct intmap children;
	struct lane *lanes;
	bool failed;
};

static uint32_t
node_new(struct folded *f, uint32_t parent, uint32_t name, uint8_t span)
{
	if (f->n == f->cap) {
		size_t cap = f->cap == 0 ? 256 : 2 * f->cap;
		struct node *nodes =
		    reallocarray(f->nodes, cap, sizeof(*nodes));

		if (nodes == NULL || cap > UINT32_MAX) {
			f->failed = true;
			return (0);
		}
		f->nodes = nodes;
		f->cap = cap;
		f->n += f->n == 0; /* 0 is none */
	}
	f->nodes[f->n] =
	    (struct node){ .parent = parent, .name = name, .span = span };
	if (parent != 0) {
		f->nodes[f->n].next = f->nodes[parent].first;
		f->nodes[parent].first = (uint32_t)f->n;
	}
	return ((uint32_t)f->n++);
}

static uint32_t
child(struct folded *f, uint32_t parent, const struct story_span *span)
{
	uint64_t key =
	    (uint64_t)parent << 32 | (uint32_t)span->span << 28 | span->name;
	const struct node *p = &f->nodes[parent];
	uint32_t node;

	if (p->parent != 0 && p->name == span->name && p->span == span->span)
		return (parent);
	if ((node = (uint32_t)(uintptr_t)intmap_find(&f->children, key)) != 0)
		return (node);
	if (intmap_reserve(&f->children) == -1 ||
	    (node = node_new(f, parent, span->name, span->span)) == 0) {
		f->failed = true;
		return (0);
	}
	intmap_put(&f->children, key, (void *)(uintptr_t)node);
	return (node);
}

static struct lane *
lane_of(struct folded *f, uint32_t location, size_t depth)
{
	struct lane *l =
	    &f->lanes[location <= f->places.locations ? location : 0];

	if (l->root == 0)
		l->root = node_new(f, 0, location, 0);
	if (depth >= l->cap) {
		uint32_t cap = l->cap == 0 ? 16 : 2 * l->cap, *at;

		if ((at = reallocarray(l->at, cap, sizeof(*at))) == NULL) {
			f->failed = true;
			return (NULL);
		}
		l->at = at;
		l->cap = cap;
	}
	return (f->failed ? NULL : l);
}

static void
count(struct folded *f, struct lane *l, int64_t t)
{
	if (l->depth > 0)
		f->nodes[l->at[l->depth - 1]].self_ns += t - l->since_mon_ns;
	l->since_mon_ns = t;
}

static void
folded_open(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	struct folded *f = arg;
	struct lane *l = lane_of(f, location, depth);

	if (l == NULL)
		return;
	count(f, l, t);
	l->at[depth] = child(f, depth == 0 ? l->root : l->at[depth - 1], span);
	l->depth = (uint32_t)depth + 1;
}

static void
folded_close(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	struct folded *f = arg;
	struct lane *l = lane_of(f, location, depth);

	(void)span;
	if (l == NULL)
		return;
	count(f, l, t);
	l->depth = (uint32_t)depth;
}

static const struct story_teller teller = { .open = folded_open,
	.close = folded_close };

static void
folded_free(void *arg)
{
	struct folded *f = arg;

	for (uint32_t i = 0; f->lanes != NULL && i <= f->places.locations; i++)
		free(f->lanes[i].at);
	story_free(f->story);
	places_clear(&f->places);
	intmap_free(&f->children);
	free(f->lanes);
	free(f->nodes);
	free(f);
}

static void *
folded_begin(const struct export_of *of, struct out *out)
{
	struct folded *f = calloc(1, sizeof(*f));

	if (f == NULL)
		return (NULL);
	f->of = of;
	f->out = out;
	f->story = story_new(of->defs, of->from_mon_ns, &teller, f);
	f->lanes =
	    calloc((size_t)defs_locations(of->defs) + 1, sizeof(*f->lanes));
	if (places_init(&f->places, of) == -1 || f->story == NULL ||
	    f->lanes == NULL) {
		folded_free(f);
		return (NULL);
	}
	return (f);
}

static int
folded_event(void *arg, const struct event *e)
{
	struct folded *f = arg;

	if (story_event(f->story, e) == -1 || f->failed) {
		errno = ENOMEM;
		return (-1);
	}
	return (0);
}

static const char *
node_name(const struct folded *f, const struct node *n)
{
	struct story_span span = { .name = n->name, .span = n->span };

	return (story_name(f->of->defs, &span));
}

/* The next one in order of the tree below root; 0: that was the last. */
static uint32_t
walk(const struct folded *f, uint32_t at, uint32_t root)
{
	if (f->nodes[at].first != 0)
		return (f->nodes[at].first);
	while (at != root && f->nodes[at].next == 0)
		at = f->nodes[at].parent;
	return (at == root ? 0 : f->nodes[at].next);
}

/* A semicolon parts frames. */
static void
put_frame(struct out *o, const char *s)
{
	for (; *s != '\0'; s++)
		out_char(o, *s == ';' ? ':' : *s);
}

/* The path from below the root to this node, as numbers in a row. */
static size_t
path_of(const struct folded *f, uint32_t at, uint32_t root, uint32_t **path,
    size_t *cap)
{
	size_t n = 0, i = 0;
	uint32_t *more;

	for (uint32_t up = at; up != root; up = f->nodes[up].parent)
		n++;
	if (n > *cap) {
		if ((more = reallocarray(*path, n, sizeof(**path))) == NULL)
			return (0);
		*path = more;
		*cap = n;
	}
	for (uint32_t up = at; up != root; up = f->nodes[up].parent)
		(*path)[n - ++i] = up;
	return (n);
}

static void
put_folded(const struct folded *f, uint32_t location)
{
	uint32_t root = f->lanes[location].root, *path = NULL;
	char process[PLACE_BYTES], thread[PLACE_BYTES];
	size_t cap = 0, n;

	places_process_name(&f->places, places_process(&f->places, location),
	    process);
	places_thread_name(&f->places, location, thread);
	for (uint32_t at = root; (at = walk(f, at, root)) != 0;) {
		if (f->nodes[at].self_ns <= 0)
			continue;
		put_frame(f->out, process);
		out_char(f->out, ';');
		put_frame(f->out, thread);
		n = path_of(f, at, root, &path, &cap);
		for (size_t i = 0; i < n; i++) {
			out_char(f->out, ';');
			put_frame(f->out, node_name(f, &f->nodes[path[i]]));
		}
		out_char(f->out, ' ');
		out_i64(f->out, f->nodes[at].self_ns);
		out_char(f->out, '\n');
	}
	free(path);
}

static int
folded_end(void *arg)
{
	struct folded *f = arg;

	story_end(f->story);
	for (uint32_t i = 0; i <= f->places.locations; i++)
		if (f->lanes[i].root != 0)
			put_folded(f, i);
	return (out_flush(f->out));
}

const struct exporter export_folded = { .name = "folded",
	.suffix = ".folded",
	.what = "time by call path, a line each, for flame graphs",
	.spans = true,
	.begin = folded_begin,
	.event = folded_event,
	.end = folded_end,
	.free = folded_free };

/* --- speedscope --- */

/* Every node is a frame of its own; equal names are one to speedscope. */
static void
put_frames(const struct folded *f)
{
	for (size_t i = 1; i < f->n; i++) {
		out_str(f->out, i > 1 ? ",\n{\"name\":" : "\n{\"name\":");
		out_json(f->out, f->nodes[i].parent == 0
				     ? "thread"
				     : node_name(f, &f->nodes[i]));
		out_char(f->out, '}');
	}
}

static void
put_samples(const struct folded *f, uint32_t root, bool weights)
{
	uint32_t *path = NULL;
	size_t cap = 0, n;
	bool any = false;

	for (uint32_t at = root; (at = walk(f, at, root)) != 0;) {
		if (f->nodes[at].self_ns <= 0)
			continue;
		if (any)
			out_char(f->out, ',');
		any = true;
		if (weights) {
			out_i64(f->out, f->nodes[at].self_ns);
			continue;
		}
		n = path_of(f, at, root, &path, &cap);
		for (size_t i = 0; i < n; i++) {
			out_char(f->out, i == 0 ? '[' : ',');
			out_u64(f->out, path[i] - 1);
		}
		out_char(f->out, ']');
	}
	free(path);
}

static void
put_profile(const struct folded *f, uint32_t location, bool first)
{
	uint32_t root = f->lanes[location].root;
	char name[PLACE_BYTES + 1];
	int64_t total = 0;

	for (uint32_t at = root; (at = walk(f, at, root)) != 0;)
		total += f->nodes[at].self_ns;
	location_print(name, sizeof(name), location, f->of->defs);
	out_str(f->out, first ? "\n{\"type\":\"sampled\",\"name\":"
			      : ",\n{\"type\":\"sampled\",\"name\":");
	out_json(f->out, name);
	out_str(f->out, ",\"unit\":\"nanoseconds\",\"startValue\":0,"
			"\"endValue\":");
	out_i64(f->out, total);
	out_str(f->out, ",\"samples\":[");
	put_samples(f, root, false);
	out_str(f->out, "],\"weights\":[");
	put_samples(f, root, true);
	out_str(f->out, "]}");
}

static int
speedscope_end(void *arg)
{
	struct folded *f = arg;
	bool first = true;

	story_end(f->story);
	out_str(f->out,
	    "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json"
	    "\",\"exporter\":\"orrery " ORRERY_VERSION "\",\"name\":");
	out_json(f->out, "orrery");
	out_str(f->out, ",\"shared\":{\"frames\":[");
	put_frames(f);
	out_str(f->out, "]},\"profiles\":[");
	for (uint32_t i = 0; i <= f->places.locations; i++) {
		if (f->lanes[i].root == 0)
			continue;
		put_profile(f, i, first);
		first = false;
	}
	out_str(f->out, "]}\n");
	return (out_flush(f->out));
}

const struct exporter export_speedscope = { .name = "speedscope",
	.suffix = ".speedscope.json",
	.what = "time by call path, a profile a thread, for speedscope.app",
	.spans = true,
	.begin = folded_begin,
	.event = folded_event,
	.end = speedscope_end,
	.free = folded_free };
