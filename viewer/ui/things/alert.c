/*
 * What marks mean, in words: above all those of doubt, which a user meets for
 * the first time when something went wrong.
 */
#include <inttypes.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/draw/draw.h"

#include "own.h"

#define LOST_LOOK 1024

static void
lost_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	static const char *const why[LOST_REASONS] = {
		[LOST_RING_FULL] = "its ring was full: the program was faster "
				   "than the collector; a larger ring helps",
		[LOST_NO_RING] = "there was no ring for this thread: more "
				 "threads than the collector gives rings",
		[LOST_INVALID] = "a record made no sense and was left out",
		[LOST_GONE] = "whoever knew the ring has died before it was "
			      "read",
		[LOST_SCHED] =
		    "the kernel had no room for what its scheduler did",
		[LOST_NOT_ATTACHED] = "the collector did not answer the "
				      "program until now",
	};
	char a[32], b[32];

	(void)m;
	snprintf(buf, n,
	    "%s events are missing here, %s of this thread so "
	    "far. %s%s%s",
	    format_count(a, sizeof(a), k->a), format_count(b, sizeof(b), k->b),
	    k->c < LOST_REASONS && why[k->c] != NULL ? "Reason: " : "",
	    k->c < LOST_REASONS && why[k->c] != NULL ? why[k->c] : "",
	    k->c < LOST_REASONS && why[k->c] != NULL ? "." : "");
}

static void
late_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	char a[32], b[32];

	snprintf(buf, n,
	    "%s events of node %s came up to %s after their time "
	    "had been passed; they are in the log, behind events "
	    "that happened after them.",
	    format_count(a, sizeof(a), k->a), label_node(m, k->c),
	    format_span(b, sizeof(b), (int64_t)k->b));
}

static void
orphan_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	const struct event_desc *d = event_desc(k->c);

	(void)m;
	snprintf(buf, n,
	    "%s%s was let go although its cause (key 0x%" PRIx64
	    ") had not come: that is lost, or late, or its node is silent.",
	    d != NULL ? "This " : "An effect", d != NULL ? d->name : "", k->a);
}

static void
stall_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	char a[32];

	snprintf(buf, n,
	    "Node %s has been silent for %s and is waited for no "
	    "longer; what it sends later may be late.",
	    label_node(m, k->c), format_span(a, sizeof(a), (int64_t)k->a));
}

static void
rejoin_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	char a[32];

	snprintf(buf, n, "Node %s is back after %s of silence.",
	    label_node(m, k->c), format_span(a, sizeof(a), (int64_t)k->a));
}

static void
step_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	int64_t by = (int64_t)k->a;
	char a[32];

	snprintf(buf, n,
	    "The clock of node %s has jumped %s by %s; its times "
	    "are mapped anew from here on (epoch %" PRIu64 ").",
	    label_node(m, k->c), by < 0 ? "back" : "forward",
	    format_span(a, sizeof(a), by < 0 ? -by : by), k->b);
}

static void
trust_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	char a[32], b[32];

	snprintf(buf, n,
	    "Messages of node %s were wrong by up to %s, its clock promises "
	    "%s. %s",
	    label_node(m, k->c), format_span(a, sizeof(a), (int64_t)k->a),
	    format_span(b, sizeof(b), (int64_t)k->b),
	    k->kind == EV_trust
		? "It has been right for a second and is believed again."
		: "Effects on other nodes are no longer moved behind its "
		  "causes.");
}

static void
found_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	const struct event_desc *d = event_desc(k->c);
	int64_t by_ns = (int64_t)k->b;
	char span[32];

	(void)m;
	snprintf(buf, n,
	    "This effect was let go; its cause (%s, key 0x%" PRIx64
	    ") has come since, and is %s %s it.  When the run is finished "
	    "the log has it behind its cause.",
	    d != NULL ? d->name : "cause", k->a,
	    format_span(span, sizeof(span), by_ns < 0 ? -by_ns : by_ns),
	    by_ns < 0 ? "before" : "behind");
}

/* Events of this process that are known to be missing. */
static uint64_t
lost_of(const struct model *m, const struct lane *po)
{
	static struct mark v[LOST_LOOK];
	uint64_t lost = 0;
	size_t n = model_alerts(m, INT64_MIN, INT64_MAX, v, LOST_LOOK);

	for (size_t i = 0; i < n && i < LOST_LOOK; i++) {
		const struct lane *l = v[i].lane < model_lanes(m)
					   ? model_lane(m, v[i].lane)
					   : NULL;

		if (v[i].kind == EV_lost && l != NULL && l->node == po->node &&
		    l->po == po->po)
			lost += v[i].a;
	}
	return (lost);
}

/* How it has ended, as far as anybody knows. */
static int
ending_told(const struct mark *k, char *buf, size_t n)
{
	unsigned number = k->c & 0xff;
	char how[ENDING_WORDS_BYTES];

	switch (k->c & ~0xffu) {
	case ENDING_EXITED:
		return (snprintf(buf, n,
		    "The process has exited with status "
		    "%u.",
		    number));
	case ENDING_SIGNAL:
		return (snprintf(buf, n,
		    "The process was ended by signal %u "
		    "(%s).",
		    number, strsignal((int)number)));
	case ENDING_VANISHED:
		return (snprintf(buf, n, "%s",
		    k->b != 0 ? "The process has left the run in good order."
			      : "The process has ended without a word: by "
				"_exit(), by a signal or in a crash."));
	default:
		return (snprintf(buf, n, "The process %s.",
		    ending_words(k->c, how)));
	}
}

static void
end_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	const struct lane *po =
	    k->lane < model_lanes(m) ? model_lane(m, k->lane) : NULL;
	uint64_t lost = po != NULL ? lost_of(m, po) : 0;
	int told = ending_told(k, buf, n);
	char num[32];

	if (k->b != 0 || told < 0 || (size_t)told >= n)
		return;
	if (lost > 0)
		snprintf(buf + told, n - (size_t)told,
		    " %s events of it are lost.",
		    format_count(num, sizeof(num), lost));
	else
		snprintf(buf + told, n - (size_t)told,
		    " What it has told until then is here.");
}

/* What happens to an object, and on which node. */
static void
object_mark_words(const struct model *m, const struct mark *k, char *buf,
    size_t n)
{
	const char *here = label_node(m, k->node), *other = label_name(m, k->c);

	switch (k->kind) {
	case EV_object_create:
		snprintf(buf, n, "It is made on %s.", here);
		break;
	case EV_object_depart:
		snprintf(buf, n, "It leaves %s for %s, hop %" PRIu64 ".", here,
		    other, k->b);
		break;
	case EV_object_arrive:
		snprintf(buf, n, "It comes to %s from %s, hop %" PRIu64 ".",
		    here, other, k->b);
		break;
	case EV_object_wait:
		snprintf(buf, n, "It waits on %s, for %s.", here, other);
		break;
	case EV_object_go:
		snprintf(buf, n, "It goes on, on %s.", here);
		break;
	default:
		snprintf(buf, n, "Its life is over, on %s.", here);
		break;
	}
}

static void
renamed_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	snprintf(buf, n, "The thread is called %s from here on.",
	    label_name(m, k->c));
}

/* The program's own words, and its number, which is signed. */
static void
note_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	snprintf(buf, n, "%s: %" PRId64, label_name(m, k->c), (int64_t)k->a);
}

/* "9.5 EUR" */
static int
own_value(const struct model *m, const struct own_event *own, unsigned i,
    char *buf, size_t n)
{
	const struct own_field *f = &own->kind->field[i];
	uint64_t v = own->value[i];
	char span[32];
	double real;

	if (!own->known[i])
		return (snprintf(buf, n, "not known"));
	switch (event_word_type(f->word)) {
	case WORD_name:
		return (snprintf(buf, n, "%s",
		    v == 0 ? "-" : label_name(m, (uint32_t)v)));
	case WORD_real:
		memcpy(&real, &v, sizeof(real));
		return (snprintf(buf, n, "%.6g %s", real, f->unit));
	case WORD_signed:
		return (
		    snprintf(buf, n, "%" PRId64 " %s", (int64_t)v, f->unit));
	case WORD_hex:
		return (snprintf(buf, n, "0x%" PRIx64, v));
	case WORD_flag:
		return (snprintf(buf, n, "%s", v != 0 ? "yes" : "no"));
	default:
		if (f->is_ns && *f->unit == '\0')
			return (snprintf(buf, n, "%s",
			    format_span(span, sizeof(span), (int64_t)v)));
		return (snprintf(buf, n, "%" PRIu64 " %s", v, f->unit));
	}
}

/* One of a kind that the program has declared: its fields, with their units. */
static void
own_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	struct own_event own;
	struct own_kind kind;
	size_t at;

	if (!model_own(m, k, &own, &kind)) {
		snprintf(buf, n, "%s", label_name(m, k->c));
		return;
	}
	at = (size_t)snprintf(buf, n, "%s:", kind.name);
	for (unsigned i = 0; i < kind.fields && at < n; i++) {
		at += (size_t)snprintf(buf + at, n - at, "%s %s ",
		    i > 0 ? "," : "", kind.field[i].label);
		if (at < n)
			at += (size_t)own_value(m, &own, i, buf + at, n - at);
		if (at < n && buf[at - 1] == ' ') /* no unit */
			buf[--at] = '\0';
	}
}

static void
gap_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	snprintf(buf, n,
	    "%s; after %" PRIu64 " bytes of the stream 0x%" PRIx64 ".",
	    label_name(m, k->c), k->b, k->a);
}

/* What is recorded of a process from here on. */
static void
choice_words_of(const struct model *m, const struct mark *k, char *buf,
    size_t n)
{
	snprintf(buf, n, "Recorded from here on: %s.", label_name(m, k->c));
}

/* What a thread leaves out of itself, or of its process. */
static void
muted_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	const char *who = k->c != 0 ? "the process" : "the thread";
	size_t at;

	(void)m;
	if (k->a == 0) {
		snprintf(buf, n, "From here on %s tells of itself again.", who);
		return;
	}
	at = (size_t)snprintf(buf, n, "By its own will %s leaves out:", who);
	for (unsigned c = 0; c < EVENT_CLASSES && at < n; c++)
		if ((k->a >> c & 1) != 0)
			at += (size_t)snprintf(buf + at, n - at, " %s",
			    event_class_name[c]);
}

static void
signal_words(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	snprintf(buf, n, "%s%sNobody waited for it: it is lost.",
	    k->c != 0 ? label_name(m, k->c) : "", k->c != 0 ? ": " : "");
}

static const struct {
	uint16_t kind;
	const char *title;
	void (
	    *words)(const struct model *, const struct mark *, char *, size_t);
} alerts[] = {
	{ EV_lost, "Events lost", lost_words },
	{ EV_late, "Events late", late_words },
	{ EV_orphan, "Effect without cause", orphan_words },
	{ EV_found, "Effect before its cause", found_words },
	{ EV_stall, "Node silent", stall_words },
	{ EV_rejoin, "Node back", rejoin_words },
	{ EV_clock_step, "Clock step", step_words },
	{ EV_distrust, "Clock not believed", trust_words },
	{ EV_trust, "Clock believed again", trust_words },
	{ EV_po_end, "End of a process", end_words },
	{ EV_note, "Note of the program", note_words },
	{ EV_own, "Event of the program", own_words },
	{ EV_thread_name, "Another name", renamed_words },
	{ EV_stream_gap, "Messages not matched", gap_words },
	{ EV_choice, "Another choice", choice_words_of },
	{ EV_muted, "Muted or not", muted_words },
	{ EV_cond_signal, "Signal of a condition", signal_words },
	{ EV_object_create, "Object made", object_mark_words },
	{ EV_object_depart, "Object leaves", object_mark_words },
	{ EV_object_arrive, "Object arrives", object_mark_words },
	{ EV_object_dispose, "End of an object", object_mark_words },
	{ EV_object_wait, "Object waits", object_mark_words },
	{ EV_object_go, "Object goes on", object_mark_words },
};

const char *
label_mark(const struct model *m, const struct mark *k, char *buf, size_t n)
{
	const struct event_desc *d = event_desc(k->kind);

	for (size_t i = 0; i < sizeof(alerts) / sizeof(alerts[0]); i++)
		if (alerts[i].kind == k->kind) {
			alerts[i].words(m, k, buf, n);
			return (alerts[i].title);
		}
	snprintf(buf, n, "%s", d == NULL ? "" : d->what);
	return (d == NULL ? "event" : d->name);
}
