/*
 * Open Trace Format 2, by its own library: for Vampir, Scalasca, pipit and
 * otf2-print.
 *
 * What is open is a region that is entered and left, a message a send and a
 * receive of MPI among all threads (the format has no other message that names
 * its other side), a counter a metric.  An event of a kind that the program has
 * declared is a metric, too, that has a member for each number of it, with its
 * unit; names are its attributes.  Ranks are threads, in the order of their
 * locations.  Definitions are written at the end, when it is known what
 * has been used.
 */
#include <errno.h>
#include <otf2/otf2.h>
#include <stdlib.h>

#include "intmap.h"
#include "otf2_inside.h"
#include "tools/export/mail.h"
#include "tools/export/story.h"

#define CHUNK_EVENTS ((uint64_t)256 << 10)
#define CHUNK_DEFS   ((uint64_t)4 << 20)

/* Times are since then, and never negative. */
static uint64_t
stamp(const struct otf2 *o, int64_t t)
{
	return (t < o->base_mon_ns ? 0 : (uint64_t)(t - o->base_mon_ns));
}

static void
note(struct otf2 *o, OTF2_ErrorCode code)
{
	if (code != OTF2_SUCCESS && o->failed == 0)
		o->failed = errno != 0 ? errno : EIO;
}

static int
state(const struct otf2 *o)
{
	errno = o->failed;
	return (o->failed == 0 ? 0 : -1);
}

/* Number of what has these, made when it is new; or 0, with ENOMEM noted. */
static uint32_t
number(struct otf2 *o, struct otf2_used *u, uint32_t name, uint32_t kind)
{
	uint64_t key = (uint64_t)name << 16 | kind;
	void *p = intmap_find(&u->by, key);
	struct otf2_pair *more;

	if (p != NULL)
		return ((uint32_t)((uintptr_t)p - 1));
	if (u->n == u->cap) {
		size_t cap = u->cap == 0 ? 64 : u->cap * 2;

		if ((more = reallocarray(u->at, cap, sizeof(*more))) == NULL) {
			o->failed = ENOMEM;
			return (0);
		}
		u->at = more;
		u->cap = cap;
	}
	if (intmap_reserve(&u->by) == -1) {
		o->failed = ENOMEM;
		return (0);
	}
	u->at[u->n] = (struct otf2_pair){ name, kind };
	intmap_put(&u->by, key, (void *)((uintptr_t)u->n + 1));
	return ((uint32_t)u->n++);
}

static OTF2_EvtWriter *
writer(const struct otf2 *o, uint32_t location)
{
	return (location <= o->locations ? o->writer[location] : NULL);
}

/* A region is entered or left. */
typedef OTF2_ErrorCode edge_fn(OTF2_EvtWriter *, OTF2_AttributeList *,
    OTF2_TimeStamp, OTF2_RegionRef);

static void
edge(struct otf2 *o, edge_fn *write, uint32_t location, int64_t t,
    const struct story_span *span)
{
	uint32_t region = number(o, &o->regions, span->name, span->kind);

	if (writer(o, location) != NULL)
		note(o, write(writer(o, location), NULL, stamp(o, t), region));
}

static void
otf2_open(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	(void)depth;
	edge(arg, OTF2_EvtWriter_Enter, location, t, span);
}

static void
otf2_close(void *arg, uint32_t location, int64_t t,
    const struct story_span *span, size_t depth)
{
	(void)depth;
	edge(arg, OTF2_EvtWriter_Leave, location, t, span);
}

static void
counter(struct otf2 *o, const struct event *e)
{
	bool real = e->kind == EV_counter_real;
	OTF2_Type type = real ? OTF2_TYPE_DOUBLE : OTF2_TYPE_INT64;
	OTF2_MetricValue value;

	if (real)
		memcpy(&value.floating_point, &e->a, sizeof(e->a));
	else
		value.signed_int = (int64_t)e->a;
	note(o, OTF2_EvtWriter_Metric(writer(o, e->location), NULL,
		    stamp(o, e->t_mon_ns), number(o, &o->metrics, e->c, real),
		    1, &type, &value));
}

OTF2_Type
otf2_own_type(const struct own_field *f)
{
	enum word_type t = event_word_type(f->word);

	return (t == WORD_real     ? OTF2_TYPE_DOUBLE
		: t == WORD_signed ? OTF2_TYPE_INT64
				   : OTF2_TYPE_UINT64);
}

/* What is lost of it is not a member; with no number at all that it was. */
static void
own(struct otf2 *o, const struct event *e, const struct own_event *own)
{
	OTF2_MetricValue value[OWN_FIELDS] = { { .unsigned_int = 1 } };
	OTF2_Type type[OWN_FIELDS] = { OTF2_TYPE_UINT64 };
	uint32_t known = 0, metric;
	uint8_t n = 0;

	for (unsigned i = 0; i < own->kind->fields; i++) {
		const struct own_field *f = &own->kind->field[i];

		if (!own->known[i])
			continue;
		if (!f->is_name) {
			known |= 1u << i;
			type[n] = otf2_own_type(f);
			value[n++].unsigned_int = own->value[i];
		} else if (own->value[i] != 0) {
			note(o, OTF2_AttributeList_AddStringRef(o->list,
				    number(o, &o->attributes, e->c, i),
				    number(o, &o->texts,
					(uint32_t)own->value[i], 0) +
					1));
		}
	}
	metric = number(o, &o->metrics, e->c, OTF2_OWN | known);
	note(o, OTF2_EvtWriter_Metric(writer(o, e->location), o->list,
		    stamp(o, e->t_mon_ns), metric, n > 0 ? n : 1, type, value));
}

static int
message(struct otf2 *o, const struct event *e)
{
	uint32_t other;
	int rc = mail_other(&o->mail, e, &other);

	if (rc != 1 || writer(o, other) == NULL)
		return (rc);
	if (e->kind == EV_send)
		note(o,
		    OTF2_EvtWriter_MpiSend(writer(o, e->location), NULL,
			stamp(o, e->t_mon_ns), o->rank[other], 0, e->c, e->b));
	else
		note(o,
		    OTF2_EvtWriter_MpiRecv(writer(o, e->location), NULL,
			stamp(o, e->t_mon_ns), o->rank[other], 0, e->c, e->b));
	return (0);
}

static const struct story_teller teller = { .open = otf2_open,
	.close = otf2_close,
	.waits = true };

static OTF2_FlushType
flush(void *arg, OTF2_FileType type, OTF2_LocationRef location, void *data,
    bool final)
{
	(void)arg;
	(void)type;
	(void)location;
	(void)data;
	(void) final;
	return (OTF2_FLUSH);
}

/* What it has to say is said by us. */
static OTF2_ErrorCode
silent(void *arg, const char *file, uint64_t line, const char *function,
    OTF2_ErrorCode code, const char *fmt, va_list ap)
{
	(void)arg;
	(void)file;
	(void)line;
	(void)function;
	(void)fmt;
	(void)ap;
	return (code);
}

static void
otf2_free(void *arg)
{
	struct otf2 *o = arg;

	if (o->archive != NULL)
		(void)OTF2_Archive_Close(o->archive);
	story_free(o->story);
	mail_clear(&o->mail);
	intmap_free(&o->regions.by);
	intmap_free(&o->metrics.by);
	intmap_free(&o->attributes.by);
	intmap_free(&o->texts.by);
	free(o->regions.at);
	free(o->metrics.at);
	free(o->attributes.at);
	free(o->texts.at);
	own_free(o->own);
	if (o->list != NULL)
		(void)OTF2_AttributeList_Delete(o->list);
	free(o->writer);
	free(o->rank);
	free(o);
}

static int
open_archive(struct otf2 *o)
{
	static const OTF2_FlushCallbacks flushes = { .otf2_pre_flush = flush };

	(void)OTF2_Error_RegisterCallback(silent, NULL);
	errno = 0;
	o->archive = OTF2_Archive_Open(o->of->path, "trace",
	    OTF2_FILEMODE_WRITE, CHUNK_EVENTS, CHUNK_DEFS, OTF2_SUBSTRATE_POSIX,
	    OTF2_COMPRESSION_NONE);
	if (o->archive == NULL) {
		errno = errno != 0 ? errno : EIO;
		return (-1);
	}
	note(o, OTF2_Archive_SetFlushCallbacks(o->archive, &flushes, NULL));
	note(o, OTF2_Archive_SetSerialCollectiveCallbacks(o->archive));
	note(o, OTF2_Archive_OpenEvtFiles(o->archive));
	for (uint32_t i = 0; i <= o->locations && o->failed == 0; i++) {
		if (!o->of->wanted[i])
			continue;
		o->rank[i] = o->ranks++;
		o->writer[i] = OTF2_Archive_GetEvtWriter(o->archive, i);
		if (o->writer[i] == NULL)
			o->failed = errno != 0 ? errno : EIO;
	}
	return (state(o));
}

static void *
otf2_begin(const struct export_of *of, struct out *out)
{
	struct otf2 *o = calloc(1, sizeof(*o));
	size_t n = (size_t)defs_locations(of->defs) + 1;
	int saved;

	(void)out;
	if (o == NULL)
		return (NULL);
	o->of = of;
	o->locations = (uint32_t)n - 1;
	o->base_mon_ns = of->from_mon_ns;
	/* NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers */
	o->writer = calloc(n, sizeof(*o->writer));
	o->rank = calloc(n, sizeof(*o->rank));
	o->story = story_new(of->defs, of->from_mon_ns, &teller, o);
	o->own = defs_own(of->defs);
	o->list = OTF2_AttributeList_New();
	if (o->writer != NULL && o->rank != NULL && o->story != NULL &&
	    o->own != NULL && o->list != NULL && open_archive(o) == 0)
		return (o);
	saved = errno;
	otf2_free(o);
	errno = saved;
	return (NULL);
}

static int
otf2_look(void *arg, const struct event *e)
{
	struct otf2 *o = arg;

	return (mail_look(&o->mail, e));
}

static int
otf2_event(void *arg, const struct event *e)
{
	struct otf2 *o = arg;
	struct own_event told;
	enum own_part part = own_event(o->own, e, &told);

	errno = part == OWN_FAILED ? ENOMEM : 0;
	if (part == OWN_FAILED)
		return (-1);
	if (o->base_mon_ns == INT64_MIN)
		o->base_mon_ns = e->t_mon_ns;
	o->last_mon_ns = e->t_mon_ns;
	if (story_event(o->story, e) == -1)
		return (-1);
	if (e->t_mon_ns < o->of->from_mon_ns || writer(o, e->location) == NULL)
		return (state(o));
	if ((e->kind == EV_send || e->kind == EV_receive) &&
	    message(o, e) == -1)
		return (-1);
	if (e->kind == EV_counter || e->kind == EV_counter_real ||
	    e->kind == EV_measure)
		counter(o, e);
	if (part == OWN_WHOLE)
		own(o, e, &told);
	return (state(o));
}

static int
otf2_end(void *arg)
{
	struct otf2 *o = arg;
	uint64_t *events = calloc((size_t)o->locations + 1, sizeof(*events));
	OTF2_ErrorCode code;

	if (events == NULL)
		return (-1);
	errno = 0;
	story_end(o->story);
	for (uint32_t i = 0; i <= o->locations; i++) {
		if (o->writer[i] == NULL)
			continue;
		note(o,
		    OTF2_EvtWriter_GetNumberOfEvents(o->writer[i], &events[i]));
		note(o, OTF2_Archive_CloseEvtWriter(o->archive, o->writer[i]));
	}
	note(o, OTF2_Archive_CloseEvtFiles(o->archive));
	note(o, otf2_definitions(o, events));
	free(events);
	code = OTF2_Archive_Close(o->archive);
	o->archive = NULL;
	note(o, code);
	return (state(o));
}

const struct exporter export_otf2 = { .name = "otf2",
	.suffix = ".otf2",
	.what =
	    "a folder of Open Trace Format 2, for Vampir, Scalasca and pipit",
	.spans = true,
	.to = EXPORT_FOLDER,
	.begin = otf2_begin,
	.look = otf2_look,
	.event = otf2_event,
	.end = otf2_end,
	.free = otf2_free };
