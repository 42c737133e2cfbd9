/*
 * Which formats there are, and the tables that ours begin with.
 *
 * PICL is that of 1990, compact (a record begins with its number) or verbose
 * (with its word, and labels between the numbers); the two may be mixed.  What
 * it says of itself (levels, flushes, marks) are notes; blocks are phases, with
 * their parameter as units of work; the collectives of its own are blocks with
 * a negative number.  Busy and idle times and counts are counters.
 *
 * VISTA's six fields are a reduction each.  It is made by its parent when that
 * is reduced, and lasts until the next one of its PE.
 */
#include <string.h>

#include "tools/import/import.h"

/* clang-format off */
const char records_picl[] =
"begins keyed\n"
"head sec usec node\n"
"time sec s usec us\n"
"place node n\n"
"call node -32768 host\n"
"call block -4 global_op\n"
"call block -3 bcast1\n"
"call block -2 bcast0\n"
"call block -1 barrier\n"
"record 1 trace_start event compstats commstats\n"
" note text=\"trace_start\"\n"
"record 2 open\n"
" note text=\"open\"\n"
"record 3 load target\n"
" note value=target text=\"load\"\n"
"record 3 load\n"
" note text=\"load\"\n"
"record 4 send to type length\n"
" send message=put(node,to,type) size=length tag=type\n"
"record 5 probe type\n"
" note value=type text=\"probe\"\n"
"record 6 recv from type length\n"
" receive message=take(from,node,type) size=length tag=type\n"
"record 7 recv_blocking type\n"
" receive_wait tag=type\n"
"record 8 recv_waking from type length\n"
" receive message=take(from,node,type) size=length tag=type\n"
"record 9 message\n"
" note text=\"message\"\n"
"record 10 sync\n"
" note text=\"sync\"\n"
"record 11 compstats busy busy_us idle idle_us\n"
" counter value=micro(busy,busy_us) counter=\"busy us\"\n"
" counter value=micro(idle,idle_us) counter=\"idle us\"\n"
"record 11 compstats idle idle_us\n"
" counter value=micro(idle,idle_us) counter=\"idle us\"\n"
"record 12 commstats received received_bytes sent sent_bytes probed\n"
" counter value=received counter=\"messages received\"\n"
" counter value=received_bytes counter=\"bytes received\"\n"
" counter value=sent counter=\"messages sent\"\n"
" counter value=sent_bytes counter=\"bytes sent\"\n"
" counter value=probed counter=\"probes\"\n"
"record 13 close\n"
" note text=\"close\"\n"
"record 14 trace_level event compstats commstats\n"
" note value=event text=\"trace_level\"\n"
"record 15 trace_mark type\n"
" note value=type text=\"trace_mark\"\n"
"record 16 trace_message text*\n"
" note text=\"{text}\"\n"
"record 17 trace_stop\n"
" note text=\"trace_stop: what follows is lost\"\n"
"record 18 trace_flush finish finish_us\n"
" note value=micro(finish,finish_us) text=\"trace_flush\"\n"
"record 19 trace_exit space\n"
" note value=space text=\"trace_exit\"\n"
"record 20 block_begin block location parameter\n"
" phase_begin phase=\"block {block}\"\n"
"record 21 block_end block location parameter\n"
" phase_end units=parameter phase=\"block {block}\"\n"
"record 22 trace_marks size\n"
" note value=size text=\"trace_marks\"\n";

const char records_vista[] =
"begins alike\n"
"first pes\n"
"head time clause pe index ppe pindex\n"
"time time us\n"
"place pe pe\n"
"record\n"
" task_spawn at=id(ppe,pindex) task=id(pe,index) parent=id(ppe,pindex)"
" procedure=\"{clause}\"\n"
" task_begin here=id(pe,index) task=id(pe,index) pe=pe"
" procedure=\"{clause}\"\n"
" task_end until-next task=id(pe,index)\n";
/* clang-format on */

/* How many words of a line are numbers; -1: one is none. */
static int
numbers(const char *line)
{
	int n = 0;

	for (const char *p = line; *p != '\0'; n++) {
		p += strspn(p, " \t");
		if (*p == '\0')
			break;
		p += *p == '-';
		if (strspn(p, "0123456789") == 0)
			return (-1);
		p += strspn(p, "0123456789");
		if (*p != '\0' && *p != ' ' && *p != '\t')
			return (-1);
	}
	return (n);
}

static bool
looks_vista(const char *first, const char *second)
{
	return (numbers(first) == 1 && numbers(second) == 6);
}

static bool
looks_picl(const char *first, const char *second)
{
	const char *p = first + strcspn(first, " \t");

	(void)second;
	p += strspn(p, " \t");
	return (strncmp(p, "clock", 5) == 0 || numbers(first) >= 4);
}

static bool
looks_like_none(const char *first, const char *second)
{
	(void)first;
	(void)second;
	return (false);
}

static const struct importer all[] = {
	{ "picl", "PICL of 1990, compact or verbose, as ParaGraph reads it",
	    looks_picl, records_picl, scan_lines },
	{ "vista",
	    "VISTA's six fields a reduction: time clause pe index ppe "
	    "pindex",
	    looks_vista, records_vista, scan_lines },
	{ "records", "what the tables that --records names describe",
	    looks_like_none, "", scan_lines },
};

const struct importer *
importer_at(size_t i)
{
	return (i < sizeof(all) / sizeof(all[0]) ? &all[i] : NULL);
}

const struct importer *
importer_named(const char *name)
{
	const struct importer *i;

	for (size_t n = 0; (i = importer_at(n)) != NULL; n++)
		if (strcmp(i->name, name) == 0)
			break;
	return (i);
}

const struct importer *
importer_for(struct lines *l)
{
	char first[256] = "", *line;
	const struct importer *i;
	const char *why;
	size_t n;

	if (lines_next(l, &line, &n, &why) == LINES_LINE) {
		size_t at = n < sizeof(first) - 1 ? n : sizeof(first) - 1;

		memcpy(first, line, at);
		first[at] = '\0';
	}
	if (lines_next(l, &line, &n, &why) != LINES_LINE)
		line = (char[]){ "" };
	for (size_t k = 0; (i = importer_at(k)) != NULL; k++)
		if (i->looks(first, line))
			break;
	lines_rewind(l);
	return (i);
}
