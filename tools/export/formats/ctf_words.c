/*
 * The metadata of a CTF trace, in its own language: clock, heads, and the
 * fields of each kind of event.  Threads, names and nodes are enumerations, so
 * that every reader shows them as texts.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "ctf_inside.h"
#include "plain.h"
#include "tools/export/places.h"

#define NS_PER_S    1000000000
#define LABEL_BYTES (sizeof(((struct field *)0)->label) + 1)
#define SHOWN_BYTES 4096

static const char types[] =
    "/* CTF 1.8 */\n"
    "typealias integer { size = 8; align = 8; signed = false; } := uint8_t;\n"
    "typealias integer { size = 16; align = 8; signed = false; } := uint16_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; } := uint32_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; } := uint64_t;\n"
    "typealias integer { size = 64; align = 8; signed = true; } := int64_t;\n"
    "typealias integer { size = 64; align = 8; signed = false; base = 16; }"
    " := hex64_t;\n"
    "typealias integer { size = 32; align = 8; signed = false; base = 16; }"
    " := hex32_t;\n"
    "typealias integer { size = 32; align = 8; signed = true; } := int32_t;\n"
    "typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; }"
    " := real_t;\n";

static const char layout[] =
    "typealias integer { size = 64; align = 8; signed = false;"
    " map = clock.monitor.value; } := stamp_t;\n"
    "stream {\n\tid = 0;\n"
    "\tpacket.context := struct {\n"
    "\t\tstamp_t timestamp_begin;\n\t\tstamp_t timestamp_end;\n"
    "\t\tuint64_t content_size;\n\t\tuint64_t packet_size;\n"
    "\t\tuint64_t events_discarded;\n\t};\n"
    "\tevent.header := struct { uint16_t id; stamp_t timestamp; };\n"
    "\tevent.context := struct {\n"
    "\t\tthread_t _thread;\n\t\tuint64_t _seq;\n\t\tint64_t _t_node_ns;\n"
    "\t\tuint32_t _shift_ns;\n\t\tuint16_t _flags;\n\t};\n"
    "};\n";

/* A string of the language. */
static void
put_string(struct out *o, const char *text)
{
	char shown[SHOWN_BYTES];
	size_t n = plain(shown, sizeof(shown), text, strlen(text));

	out_char(o, '"');
	for (size_t i = 0; i < n; i++) {
		if (shown[i] == '"' || shown[i] == '\\')
			out_char(o, '\\');
		out_char(o, shown[i]);
	}
	out_char(o, '"');
}

static void
put_head(const struct ctf *c, struct out *o)
{
	const struct msg_run *r = c->of->run;
	char text[512], id[40];
	/* UTC where the stream's clock is 0 */
	int64_t at = r->start_real_ns - r->start_mon_ns + c->base_mon_ns;
	int64_t ns = (at % NS_PER_S + NS_PER_S) % NS_PER_S;

	for (int i = 0, n = 0; i < 16; i++)
		n += snprintf(id + n, sizeof(id) - (size_t)n, "%s%02x",
		    i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
		    r->run.b[i]);
	out_str(o, types);
	snprintf(text, sizeof(text),
	    "trace {\n\tmajor = 1;\n\tminor = 8;\n\tuuid = \"%s\";\n"
	    "\tbyte_order = le;\n\tpacket.header := struct {\n"
	    "\t\tuint32_t magic;\n\t\tuint8_t uuid[16];\n"
	    "\t\tuint32_t stream_id;\n\t};\n};\n"
	    "env {\n\ttracer_name = \"orrery\";\n\tstart_mon_ns = %" PRId64
	    ";\n\tstart_real_ns = %" PRId64 ";\n};\n",
	    id, r->start_mon_ns, r->start_real_ns);
	out_str(o, text);
	snprintf(text, sizeof(text),
	    "clock {\n\tname = \"monitor\";\n\tuuid = \"%s\";\n"
	    "\tfreq = 1000000000;\n\toffset_s = %" PRId64
	    ";\n\toffset = %" PRId64 ";\n\tabsolute = true;\n};\n",
	    id, (at - ns) / NS_PER_S, ns);
	out_str(o, text);
}

static void
put_one(struct out *o, const char *text, uint64_t value)
{
	out_str(o, ",\n\t");
	put_string(o, text);
	out_str(o, " = ");
	out_u64(o, value);
}

/* An enumeration has 0 in any case; it cannot be empty. */
static void
begin_enum(struct out *o, const char *type, const char *zero)
{
	out_str(o, "typealias enum : ");
	out_str(o, type);
	out_str(o, " {\n\t");
	put_string(o, zero);
	out_str(o, " = 0");
}

static void
put_enums(const struct ctf *c, struct out *o)
{
	const struct defs *d = c->of->defs;
	char name[PLACE_BYTES];

	begin_enum(o, "uint32_t", "monitord");
	for (uint32_t i = 1; i <= defs_locations(d); i++) {
		if (defs_thread(d, i) == NULL)
			continue;
		(void)location_print(name, sizeof(name), i, d);
		put_one(o, name, i);
	}
	out_str(o, "\n} := thread_t;\n");
	begin_enum(o, "uint32_t", "");
	for (uint32_t i = 1; i <= defs_names(d); i++)
		if (defs_name(d, i) != NULL)
			put_one(o, defs_name(d, i)->text, i);
	out_str(o, "\n} := name_t;\n");
	begin_enum(o, "uint32_t", "");
	for (uint32_t i = 1; i <= defs_nodes(d); i++)
		if (defs_node(d, i) != NULL)
			put_one(o, defs_node(d, i)->name, i);
	out_str(o, "\n} := node_t;\n");
	begin_enum(o, "uint32_t", "");
	for (unsigned i = 1; i < EVENT_KINDS; i++)
		if (defs_kind(d, i) != NULL)
			put_one(o, defs_kind(d, i)->name, i);
	out_str(o, "\n} := kind_t;\n");
	begin_enum(o, "uint32_t", "");
	for (unsigned i = 1; i < LOST_REASONS; i++)
		if (lost_reason_name[i] != NULL)
			put_one(o, lost_reason_name[i], i);
	out_str(o, "\n} := reason_t;\n");
}

/* Of a word of 64 bits, where texts do not fit, and of one of 32. */
static const char *
type_of(enum word_type t, bool wide)
{
	static const char *const narrow[] = { [WORD_hex] = "hex32_t",
		[WORD_signed] = "int32_t",
		[WORD_name] = "name_t",
		[WORD_node] = "node_t",
		[WORD_kind] = "kind_t",
		[WORD_reason] = "reason_t" };

	if (wide)
		return (t == WORD_hex      ? "hex64_t"
			: t == WORD_signed ? "int64_t"
			: t == WORD_real   ? "real_t"
					   : "uint64_t");
	if (t >= sizeof(narrow) / sizeof(narrow[0]) || narrow[t] == NULL)
		return ("uint32_t");
	return (narrow[t]);
}

/* The label, if it is a word that the language takes; or a letter. */
static void
label_of(const struct field f[3], int i, char label[LABEL_BYTES])
{
	bool good = f[i].label[0] != '\0';

	for (const char *p = f[i].label; good && *p != '\0'; p++)
		good = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
		       (*p >= '0' && *p <= '9') || *p == '_';
	for (int k = 0; good && k < 3; k++)
		good = k == i || f[k].type == WORD_none ||
		       strcmp(f[k].label, f[i].label) != 0;
	snprintf(label, LABEL_BYTES, "_%s",
	    good     ? f[i].label
	    : i == 0 ? "a"
	    : i == 1 ? "b"
		     : "c");
}

static void
put_kind(const struct ctf *c, struct out *o, unsigned kind)
{
	const struct event_desc *d = defs_kind(c->of->defs, kind);
	const struct field *f = c->fields.of[kind];
	char label[LABEL_BYTES];

	out_str(o, "event {\n\tname = ");
	put_string(o, d->name);
	out_str(o, ";\n\tid = ");
	out_u64(o, kind);
	out_str(o, ";\n\tstream_id = 0;\n\tfields := struct {\n");
	for (int i = 0; i < 3; i++) {
		if (f[i].type == WORD_none)
			continue;
		label_of(f, i, label);
		out_str(o, "\t\t");
		out_str(o, type_of(f[i].type, i < 2));
		out_char(o, ' ');
		out_str(o, label);
		out_str(o, ";\n");
	}
	out_str(o, "\t};\n};\n");
}

/* The language has no units: they stand in a comment. */
static void
put_own_unit(struct out *o, const char *unit)
{
	if (*unit == '\0')
		return;
	out_str(o, " /* ");
	for (; *unit != '\0'; unit++)
		out_char(o, *unit == '*' ? '.' : *unit);
	out_str(o, " */");
}

static void
put_own(const struct ctf *c, struct out *o, size_t i)
{
	const struct own_kind *k = own_kind_of(c->own, c->owned_name[i]);

	out_str(o, "event {\n\tname = ");
	put_string(o, k->name);
	out_str(o, ";\n\tid = ");
	out_u64(o, CTF_OWN + i);
	out_str(o, ";\n\tstream_id = 0;\n\tfields := struct {\n");
	for (unsigned n = 0; n < k->fields; n++) {
		const struct own_field *f = &k->field[n];

		out_str(o, "\t\t");
		out_str(o, type_of(event_word_type(f->word), !f->is_name));
		out_str(o, " _");
		fields_own_label(o, k, n);
		out_char(o, ';');
		put_own_unit(o, own_unit(f));
		out_char(o, '\n');
	}
	out_str(o, "\t};\n};\n");
}

int
ctf_words(const struct ctf *c)
{
	struct out o;
	int fd = ctf_file(c, "metadata"), rc = -1, saved;

	if (fd == -1)
		return (-1);
	if (out_open(&o, fd) == 0) {
		put_head(c, &o);
		put_enums(c, &o);
		out_str(&o, layout);
		out_str(&o, "event { name = \"?\"; id = 0; stream_id = 0;"
			    " fields := struct { }; };\n");
		for (unsigned k = 1; k < EVENT_KINDS; k++)
			if (defs_kind(c->of->defs, k) != NULL)
				put_kind(c, &o, k);
		for (size_t i = 0; i < c->nowned; i++)
			put_own(c, &o, i);
		rc = out_flush(&o);
		saved = errno;
		out_close(&o);
		errno = saved;
	}
	saved = errno;
	close(fd);
	errno = saved;
	return (rc);
}
