/*
 * Definitions of an OTF2 archive.  Strings are written when they are needed
 * and have numbers in a row.
 */
#include <stdio.h>
#include <stdlib.h>

#include "otf2_inside.h"
#include "plain.h"
#include "tools/export/places.h"

#define TICKS 1000000000u /* ticks a second */

struct writing {
	struct otf2 *o;
	OTF2_GlobalDefWriter *w;
	uint32_t strings, members;
	OTF2_ErrorCode code; /* that came first */
};

static void
note(struct writing *d, OTF2_ErrorCode code)
{
	if (d->code == OTF2_SUCCESS)
		d->code = code;
}

static OTF2_StringRef
string(struct writing *d, const char *text)
{
	char shown[PLACE_BYTES];

	(void)plain(shown, sizeof(shown), text, strlen(text));
	note(d, OTF2_GlobalDefWriter_WriteString(d->w, d->strings, shown));
	return (d->strings++);
}

/* Number 0 is the run; nodes have their own. */
static void
put_tree(struct writing *d)
{
	const struct defs *defs = d->o->of->defs;
	OTF2_StringRef machine = string(d, "machine"), node = string(d, "node");

	note(d,
	    OTF2_GlobalDefWriter_WriteSystemTreeNode(d->w, 0, string(d, "run"),
		machine, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
	for (uint32_t i = 1; i <= defs_nodes(defs); i++)
		if (defs_node(defs, i) != NULL)
			note(d,
			    OTF2_GlobalDefWriter_WriteSystemTreeNode(d->w, i,
				string(d, defs_node(defs, i)->name), node, 0));
}

static int
put_places(struct writing *d, const uint64_t *events)
{
	const struct defs *defs = d->o->of->defs;
	const struct def_thread *t;
	char name[PLACE_BYTES];
	struct places places;

	if (places_init(&places, d->o->of) == -1)
		return (-1);
	for (uint32_t i = 0; i < places.processes; i++) {
		t = defs_thread(defs, places.first[i]);
		places_process_name(&places, i, name);
		note(d,
		    OTF2_GlobalDefWriter_WriteLocationGroup(d->w, i,
			string(d, name), OTF2_LOCATION_GROUP_TYPE_PROCESS,
			t != NULL && defs_node(defs, t->node) != NULL ? t->node
								      : 0,
			OTF2_UNDEFINED_LOCATION_GROUP));
	}
	for (uint32_t i = 0; i <= d->o->locations; i++) {
		if (d->o->writer[i] == NULL)
			continue;
		places_thread_name(&places, i, name);
		note(d, OTF2_GlobalDefWriter_WriteLocation(d->w, i,
			    string(d, name), OTF2_LOCATION_TYPE_CPU_THREAD,
			    events[i], places_process(&places, i)));
	}
	places_clear(&places);
	return (0);
}

static OTF2_RegionRole
role_of(const struct event_desc *d)
{
	return (d->span == SPAN_task           ? OTF2_REGION_ROLE_TASK
		: d->span == SPAN_phase        ? OTF2_REGION_ROLE_CODE
		: d->span == SPAN_wait_lock    ? OTF2_REGION_ROLE_CRITICAL
		: d->span == SPAN_wait_sync    ? OTF2_REGION_ROLE_BARRIER
		: d->span >= SPAN_wait_message ? OTF2_REGION_ROLE_POINT2POINT
					       : OTF2_REGION_ROLE_FUNCTION);
}

static void
put_regions(struct writing *d)
{
	const struct defs *defs = d->o->of->defs;

	for (uint32_t i = 0; i < d->o->regions.n; i++) {
		const struct otf2_pair *p = &d->o->regions.at[i];
		const struct event_desc *e = defs_kind(defs, p->kind);
		const struct def_name *n = defs_name(defs, p->name);
		const char *text = defs_name_text(defs, p->name);
		OTF2_StringRef kind = string(d, e->name);
		OTF2_StringRef name = *text == '\0' ? kind : string(d, text);

		note(d,
		    OTF2_GlobalDefWriter_WriteRegion(d->w, i, name, name, kind,
			role_of(e), OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE,
			string(d, n != NULL ? n->file : ""),
			n != NULL ? n->line : 0, 0));
	}
}

static OTF2_MetricMemberRef
put_member(struct writing *d, const char *text, OTF2_Type type,
    OTF2_MetricMode mode, const char *unit)
{
	OTF2_StringRef name = string(d, text);

	note(d, OTF2_GlobalDefWriter_WriteMetricMember(d->w, d->members, name,
		    name, OTF2_METRIC_TYPE_USER, mode, type, OTF2_BASE_DECIMAL,
		    0, string(d, *unit == '\0' ? "#" : unit)));
	return (d->members++);
}

/* "order.price" */
static const char *
own_label(const struct own_kind *k, unsigned i, char buf[2 * OWN_LABEL])
{
	snprintf(buf, (size_t)2 * OWN_LABEL, "%s.%s", k->name,
	    k->field[i].label);
	return (buf);
}

/* How many; of one without numbers that it was told, each time once. */
static uint8_t
put_own_members(struct writing *d, const struct otf2_pair *p,
    OTF2_MetricMemberRef member[OWN_FIELDS])
{
	const struct own_kind *k = own_kind_of(d->o->own, p->name);
	char label[2 * OWN_LABEL];
	uint8_t n = 0;

	for (unsigned i = 0; k != NULL && i < k->fields; i++)
		if (p->kind >> i & 1)
			member[n++] = put_member(d, own_label(k, i, label),
			    otf2_own_type(&k->field[i]),
			    OTF2_METRIC_ABSOLUTE_POINT, own_unit(&k->field[i]));
	if (n == 0)
		member[n++] = put_member(d, k == NULL ? "" : k->name,
		    OTF2_TYPE_UINT64, OTF2_METRIC_RELATIVE_POINT, "");
	return (n);
}

static void
put_metrics(struct writing *d)
{
	OTF2_MetricMemberRef member[OWN_FIELDS];

	for (uint32_t i = 0; i < d->o->metrics.n; i++) {
		const struct otf2_pair *p = &d->o->metrics.at[i];
		uint8_t n = 1;

		if (p->kind & OTF2_OWN)
			n = put_own_members(d, p, member);
		else
			member[0] = put_member(d,
			    defs_name_text(d->o->of->defs, p->name),
			    p->kind != 0 ? OTF2_TYPE_DOUBLE : OTF2_TYPE_INT64,
			    OTF2_METRIC_ABSOLUTE_POINT, "");
		note(d,
		    OTF2_GlobalDefWriter_WriteMetricClass(d->w, i, n, member,
			OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_CPU));
	}
}

static void
put_attributes(struct writing *d)
{
	char label[2 * OWN_LABEL];

	for (uint32_t i = 0; i < d->o->attributes.n; i++) {
		const struct otf2_pair *p = &d->o->attributes.at[i];
		const struct own_kind *k = own_kind_of(d->o->own, p->name);
		OTF2_StringRef name =
		    string(d, k == NULL ? "" : own_label(k, p->kind, label));

		note(d, OTF2_GlobalDefWriter_WriteAttribute(d->w, i, name, name,
			    OTF2_TYPE_STRING));
	}
}

/* All threads, in the order of their ranks, and the communicator of all. */
static int
put_group(struct writing *d)
{
	const struct otf2 *o = d->o;
	uint64_t *member = calloc((size_t)o->ranks + 1, sizeof(*member));
	OTF2_StringRef name;

	if (member == NULL)
		return (-1);
	for (uint32_t i = 0; i <= o->locations; i++)
		if (o->writer[i] != NULL)
			member[o->rank[i]] = i;
	name = string(d, "threads");
	note(d, OTF2_GlobalDefWriter_WriteGroup(d->w, 0, name,
		    OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
		    OTF2_GROUP_FLAG_NONE, o->ranks, member));
	for (uint32_t i = 0; i < o->ranks; i++)
		member[i] = i;
	name = string(d, "all");
	note(d, OTF2_GlobalDefWriter_WriteGroup(d->w, 1, name,
		    OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
		    OTF2_GROUP_FLAG_NONE, o->ranks, member));
	note(d, OTF2_GlobalDefWriter_WriteComm(d->w, 0, name, 1,
		    OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
	free(member);
	return (0);
}

/* Local ones have nothing to say, but readers look for them. */
static void
put_local(struct writing *d)
{
	OTF2_Archive *a = d->o->archive;
	OTF2_DefWriter *w;

	note(d, OTF2_Archive_OpenDefFiles(a));
	for (uint32_t i = 0; i <= d->o->locations; i++) {
		if (d->o->writer[i] == NULL)
			continue;
		w = OTF2_Archive_GetDefWriter(a, i);
		note(d, w == NULL ? OTF2_ERROR_MEM_FAULT
				  : OTF2_Archive_CloseDefWriter(a, w));
	}
	note(d, OTF2_Archive_CloseDefFiles(a));
}

OTF2_ErrorCode
otf2_definitions(struct otf2 *o, const uint64_t *events)
{
	struct writing d = { .o = o, .code = OTF2_SUCCESS };
	const struct msg_run *run = o->of->run;
	int64_t base = o->base_mon_ns == INT64_MIN ? 0 : o->base_mon_ns;
	int64_t real = run->start_real_ns - run->start_mon_ns + base;

	put_local(&d);
	d.w = OTF2_Archive_GetGlobalDefWriter(o->archive);
	if (d.w == NULL)
		return (OTF2_ERROR_MEM_FAULT);
	note(&d,
	    OTF2_GlobalDefWriter_WriteClockProperties(d.w, TICKS, 0,
		o->last_mon_ns > base ? (uint64_t)(o->last_mon_ns - base) : 0,
		real > 0 ? (uint64_t)real : OTF2_UNDEFINED_TIMESTAMP));
	(void)string(&d, "");
	for (size_t i = 0; i < o->texts.n; i++)
		(void)string(&d,
		    defs_name_text(o->of->defs, o->texts.at[i].name));
	put_tree(&d);
	put_regions(&d);
	put_metrics(&d);
	put_attributes(&d);
	if (put_places(&d, events) == -1 || put_group(&d) == -1)
		return (OTF2_ERROR_MEM_FAULT);
	note(&d, OTF2_Archive_CloseGlobalDefWriter(o->archive, d.w));
	return (d.code);
}
