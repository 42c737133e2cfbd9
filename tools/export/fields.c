#include "tools/export/fields.h"

#include <inttypes.h>
#include <stdio.h>

static void
field_init(struct field *f, const char *text)
{
	f->type = event_word_type(text);
	snprintf(f->label, sizeof(f->label), "%.*s", (int)strcspn(text, ":"),
	    text);
}

void
fields_init(struct fields *f, const struct defs *defs)
{
	const struct event_desc *d;

	memset(f, 0, sizeof(*f));
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		if ((d = defs_kind(defs, k)) == NULL)
			continue;
		field_init(&f->of[k][0], d->a);
		field_init(&f->of[k][1], d->b);
		field_init(&f->of[k][2], d->c);
	}
}

const char *
field_text(enum word_type type, uint64_t v, const struct defs *defs,
    char room[WORD_TEXT_BYTES])
{
	const struct event_desc *d;
	const struct def_node *n;

	if (type == WORD_name)
		return (defs_name_text(defs, (uint32_t)v));
	if (type == WORD_node && (n = defs_node(defs, (uint32_t)v)) != NULL)
		return (n->name);
	if (type == WORD_kind && (d = defs_kind(defs, (unsigned)v)) != NULL)
		return (d->name);
	if (type == WORD_reason && v < LOST_REASONS &&
	    lost_reason_name[v] != NULL)
		return (lost_reason_name[v]);
	if (type == WORD_ending)
		return (ending_words((uint32_t)v, room));
	if (type == WORD_measure)
		return (measure_words(v, room));
	snprintf(room, WORD_TEXT_BYTES, "?%" PRIu64, v);
	return (room);
}

static void
field_json(const struct field *f, struct out *o, uint64_t v,
    const struct defs *defs)
{
	char room[WORD_TEXT_BYTES];

	out_json(o, f->label);
	out_char(o, ':');
	if (f->type == WORD_number) {
		out_u64(o, v);
	} else if (f->type == WORD_hex) {
		out_char(o, '"');
		out_hex(o, v);
		out_char(o, '"');
	} else if (f->type == WORD_signed) {
		out_i64(o, (int64_t)v);
	} else if (f->type == WORD_real) {
		out_real(o, v, "null");
	} else if (f->type == WORD_flag) {
		out_str(o, v != 0 ? "true" : "false");
	} else {
		out_json(o, field_text(f->type, v, defs, room));
	}
}

void
fields_json_own(struct out *o, const struct own_event *own,
    const struct defs *defs)
{
	struct field f;

	for (unsigned i = 0; i < own->kind->fields; i++) {
		if (i > 0)
			out_char(o, ',');
		field_init(&f, own->kind->field[i].word);
		if (own->known[i]) {
			field_json(&f, o, own->value[i], defs);
		} else {
			out_json(o, f.label);
			out_str(o, ":null");
		}
	}
}

void
fields_own_label(struct out *o, const struct own_kind *k, unsigned i)
{
	bool good = true;

	for (const char *p = k->field[i].label; *p != '\0'; p++)
		good = good && (unsigned char)*p < 0x80;
	if (good) {
		out_str(o, k->field[i].label);
	} else {
		out_str(o, "field");
		out_u64(o, i + 1);
	}
}

bool
fields_own_whole(const struct own_event *own)
{
	bool whole = true;

	for (unsigned i = 0; i < own->kind->fields; i++)
		whole = whole && own->known[i];
	return (whole);
}

void
fields_json(const struct fields *fields, struct out *o, const struct event *e,
    const struct defs *defs)
{
	const struct field *f = fields->of[e->kind < EVENT_KINDS ? e->kind : 0];
	const uint64_t word[3] = { e->a, e->b, e->c };
	bool any = false;

	for (int i = 0; i < 3; i++) {
		if (f[i].type == WORD_none)
			continue;
		if (any)
			out_char(o, ',');
		any = true;
		field_json(&f[i], o, word[i], defs);
	}
}
