/*
 * An object at an instant: where it is, or from where to where it is on its
 * way, after how many hops, and for whom it was made.  Its lane keeps the node
 * and the hop with each stay; where a way leads is told by who leaves.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#define SPANS_LOOK   32 /* that may begin and end at one instant */
#define MARKS_LOOK   64
#define STAYS_LOOK   4096 /* parts of one, between waits */
#define OBJECTS_TOLD 1000 /* in words, of the first ones */

/* The name that it has told at t with this kind of event; 0: it has not. */
static uint32_t
told_name(const struct model *m, uint32_t lane, int64_t t, uint16_t kind)
{
	struct mark v[MARKS_LOOK];
	size_t n = model_marks(m, t, t + 1, v, MARKS_LOOK);

	for (size_t i = n < MARKS_LOOK ? n : MARKS_LOOK; i-- > 0;)
		if (v[i].lane == lane && v[i].kind == kind)
			return (v[i].c);
	return (0);
}

static bool
same_stay(const struct span *a, const struct span *b)
{
	return (a->class == b->class && a->id == b->id && a->name == b->name);
}

/*
 * What it did before its stay, which its waits have cut into parts: on its way
 * it may have been for 0 ns, as of a clock that ticks seldom.
 */
static bool
before_stay(const struct model *m, struct object_then *k, struct span *other)
{
	struct span v[SPANS_LOOK];
	int64_t since;
	size_t n;

	for (int i = 0; i < STAYS_LOOK; i++) {
		since = k->since_ns;
		n = model_lane_spans(m, k->lane, since - 1, since + 1, v,
		    SPANS_LOOK);
		if (n > SPANS_LOOK)
			return (false);
		for (; n > 0 && same_stay(&v[n - 1], &k->now); n--)
			k->since_ns = v[n - 1].t0_mon_ns;
		if (n > 0)
			*other = v[n - 1];
		if (n > 0 || k->since_ns == since)
			return (n > 0 && other->t1_mon_ns == k->since_ns);
	}
	return (false);
}

/* What it does after it was on its way, if only for 0 ns. */
static bool
after_way(const struct model *m, const struct object_then *k,
    struct span *other)
{
	int64_t t = k->now.t1_mon_ns;
	struct span v[SPANS_LOOK];
	size_t n = model_lane_spans(m, k->lane, t - 1, t + 1, v, SPANS_LOOK);

	for (size_t i = 0; n <= SPANS_LOOK && i + 1 < n; i++)
		if (v[i].t0_mon_ns == k->now.t0_mon_ns && v[i].t1_mon_ns == t) {
			*other = v[i + 1];
			return (true);
		}
	return (false);
}

/* Of a stay: from where it came; of a way: where it leads, if it is known. */
static void
find_ways(const struct ui *ui, struct object_then *k)
{
	const struct model *m = ui->model;
	const struct span *now = &k->now;
	struct span other;

	k->since_ns = now->t0_mon_ns;
	if (now->class != LANE_transit) {
		k->on = now->name;
		k->waits = now->kind != 0;
		if (k->waits)
			k->reason = told_name(m, k->lane, now->t0_mon_ns,
			    EV_object_wait);
		if (before_stay(m, k, &other) && other.class == LANE_transit)
			k->from = other.name;
		return;
	}
	k->from = now->name;
	k->to_name = told_name(m, k->lane, now->t0_mon_ns, EV_object_depart);
	if (now->t1_mon_ns <= run_now(ui) && after_way(m, k, &other) &&
	    other.class >= LANE_OBJECT_NODE)
		k->to = other.name;
}

/* Its last stay, if it is over by t; false: that is not known any more. */
static bool
last_stay(const struct model *m, uint32_t lane, int64_t t, struct span *out)
{
	uint64_t n = 0;

	return (model_lane_listed(m, lane, &n) && n > 0 &&
		model_lane_list(m, lane, n - 1, out, 1) == 1 &&
		out->t0_mon_ns <= t);
}

bool
object_then(const struct ui *ui, uint32_t lane, int64_t t,
    struct object_then *k)
{
	const struct model *m = ui->model;
	struct span first;

	memset(k, 0, sizeof(*k));
	k->lane = lane;
	if (!model_object_made(m, lane, &k->made))
		return (false);
	if (model_lane_span_at(m, lane, t, &k->now) == 1) {
		k->state =
		    k->now.class == LANE_transit ? OBJECT_MOVES : OBJECT_STAYS;
		k->told = true;
		find_ways(ui, k);
	} else if (model_lane_list(m, lane, 0, &first, 1) == 1) {
		k->state = t < first.t0_mon_ns ? OBJECT_NOT_YET : OBJECT_OVER;
		k->told =
		    k->state == OBJECT_OVER && last_stay(m, lane, t, &k->now);
	} else {
		k->state = OBJECT_UNKNOWN;
	}
	return (true);
}

static const char *
word_of(const struct model *m, uint32_t node, uint32_t name)
{
	return (node != 0   ? label_node(m, node)
		: name != 0 ? label_name(m, name)
			    : "?");
}

static void
where_words(const struct ui *ui, const struct object_then *k, char *buf,
    size_t n)
{
	const struct model *m = ui->model;
	char when[40];

	switch (k->state) {
	case OBJECT_STAYS:
		snprintf(buf, n, "%s, since %s", label_node(m, k->on),
		    run_time(ui, k->since_ns, 1000, when, sizeof(when)));
		break;
	case OBJECT_MOVES:
		snprintf(buf, n, "on the way, since %s",
		    run_time(ui, k->since_ns, 1000, when, sizeof(when)));
		break;
	case OBJECT_NOT_YET:
		snprintf(buf, n, "not made yet");
		break;
	case OBJECT_OVER:
		snprintf(buf, n, "nowhere, its life is over");
		break;
	case OBJECT_UNKNOWN:
		snprintf(buf, n, "not known");
		break;
	}
}

/* An object, or if it is 0 the thread that has spoken. */
static void
who_words(const struct ui *ui, uint64_t object, uint32_t by, char *buf,
    size_t n)
{
	const struct model *m = ui->model;
	uint32_t lane = object == 0 ? by : model_object_lane(m, object);
	char name[96];

	if (lane < model_lanes(m) && object != 0)
		snprintf(buf, n, "%s",
		    label_lane(m, model_lane(m, lane), name, sizeof(name)));
	else if (lane < model_lanes(m))
		label_where(ui, lane, INT64_MIN, buf, n);
	else if (object != 0)
		snprintf(buf, n, "object 0x%" PRIx64, object);
	else
		snprintf(buf, n, "?");
}

static bool
has_way(const struct object_then *k)
{
	return (k->from != 0 &&
		(k->state == OBJECT_MOVES || k->state == OBJECT_STAYS));
}

/* Who it is: its class, its own name if it has one, its id. */
static const char *
self_words(const struct model *m, const struct object_then *k, unsigned i,
    char *buf, size_t n)
{
	uint32_t class = model_lane(m, k->lane)->name;

	if (i == 1 && k->made.nickname == 0)
		return ("");
	if (i == 2)
		snprintf(buf, n, "0x%" PRIx64, k->made.id);
	else
		snprintf(buf, n, "%s",
		    word_of(m, 0, i == 0 ? class : k->made.nickname));
	return (i == 0 ? "class" : i == 1 ? "nickname" : "object");
}

/* The move that it is on, or that has brought it here. */
static const char *
move_words(const struct ui *ui, const struct object_then *k, unsigned i,
    char *buf, size_t n)
{
	const struct model *m = ui->model;
	struct object_order order;

	if (i == 0) {
		snprintf(buf, n, "%s",
		    has_way(k) ? label_node(m, k->from) : "-");
		return (k->state == OBJECT_MOVES ? "from" : "came from");
	}
	if (i == 1) {
		if (k->state != OBJECT_MOVES)
			return ("");
		snprintf(buf, n, "%s", word_of(m, k->to, k->to_name));
		return ("to");
	}
	if (!k->told || k->state > OBJECT_MOVES ||
	    !model_object_ordered(m, k->lane, k->now.id, &order))
		return ("");
	who_words(ui, order.object, order.by, buf, n);
	return ("ordered by");
}

static const char *
wait_words(const struct ui *ui, const struct object_then *k, char *buf,
    size_t n)
{
	char when[40];

	if (!k->waits)
		return ("");
	snprintf(buf, n, "%s, since %s", word_of(ui->model, 0, k->reason),
	    run_time(ui, k->now.t0_mon_ns, 1000, when, sizeof(when)));
	return ("waits for");
}

/* Of line i; "": not of this object.  NULL: no more. */
static const char *
line_words(const struct ui *ui, const struct object_then *k, unsigned i,
    char *buf, size_t n)
{
	switch (i) {
	case 0:
	case 1:
	case 2:
		return (self_words(ui->model, k, i, buf, n));
	case 3:
		snprintf(buf, n, "%s", word_of(ui->model, k->made.home, 0));
		return ("home");
	case 4:
		who_words(ui, k->made.creator, k->made.by, buf, n);
		return (k->made.creator != 0 ? "creator" : "made by");
	case 5:
		where_words(ui, k, buf, n);
		return ("where");
	case 6:
		return (wait_words(ui, k, buf, n));
	case 7:
		snprintf(buf, n, "%s", "?");
		if (k->told)
			snprintf(buf, n, "%" PRIu64, k->now.id);
		return ("hops");
	case 8:
	case 9:
	case 10:
		return (move_words(ui, k, i - 8, buf, n));
	default:
		return (NULL);
	}
}

const char *
object_words(const struct ui *ui, const struct object_then *k, unsigned i,
    char *buf, size_t n)
{
	const char *title = "";

	for (unsigned line = 0; title != NULL; line++) {
		title = line_words(ui, k, line, buf, n);
		if (title != NULL && title[0] != '\0' && i-- == 0)
			break;
	}
	return (title);
}

void
objects_describe(const struct ui *ui, FILE *f)
{
	const struct model *m = ui->model;
	uint32_t lanes = model_lanes(m), n = 0;
	struct object_then k;
	const char *title;
	char words[200];

	for (uint32_t lane = 0; lane < lanes; lane++) {
		if (!object_then(ui, lane, run_now(ui), &k) ||
		    n++ >= OBJECTS_TOLD)
			continue;
		fprintf(f, "  %s: ",
		    label_lane(m, model_lane(m, lane), words, sizeof(words)));
		for (unsigned i = 0; (title = object_words(ui, &k, i, words,
					  sizeof(words))) != NULL;
		     i++)
			fprintf(f, "%s%s %s", i == 0 ? "" : "; ", title, words);
		putc('\n', f);
	}
	if (n > OBJECTS_TOLD)
		fprintf(f, "  %d of %" PRIu32 " objects are told\n",
		    OBJECTS_TOLD, n);
}
