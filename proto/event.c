/*
 * The table of event kinds, as data.
 */
#include "event.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
const struct event_desc event_table[EVENT_KINDS] = {
#define EVENT(n, i, cl, sh, sp, ro, pa, ke, ma, fa, fb, fc, wh)		\
	[(i)] = { .name = #n, .a = (fa), .b = (fb), .c = (fc),		\
	    .what = (wh),						\
	    .kind = (i), .partner = EV_##pa, .class = CLASS_##cl,		\
	    .shape = SHAPE_##sh, .span = SPAN_##sp, .role = ROLE_##ro,	\
	    .key = KEY_##ke, .match = MATCH_##ma },
#include "events.def"
#undef EVENT
};

const char *const event_class_name[EVENT_CLASSES] = {
	"life", "task", "block", "call", "message", "rpc", "lock", "object",
	"memory", "phase", "note", "monitor", "sample",
};

const char *const event_span_name[EVENT_SPANS] = {
	"none", "task", "call", "block", "serve", "phase", "wait_message",
	"wait_lock", "wait_sync", "wait_rpc",
};

const char *const lost_reason_name[LOST_REASONS] = {
	"unknown", "ring full", "no ring", "invalid", "gone",
	"not attached", "scheduler",
};
/* clang-format on */

const struct event_desc *
event_desc(unsigned kind)
{
	if (kind >= EVENT_KINDS || event_table[kind].name == NULL)
		return (NULL);
	return (&event_table[kind]);
}

const struct event_desc *
event_desc_by_name(const char *name)
{
	for (unsigned k = 0; k < EVENT_KINDS; k++) {
		if (event_table[k].name != NULL &&
		    strcmp(event_table[k].name, name) == 0)
			return (&event_table[k]);
	}
	return (NULL);
}

bool
event_field_is(const char *field, const char *type)
{
	const char *colon = strchr(field, ':');

	return (colon != NULL && strcmp(colon + 1, type) == 0);
}

enum word_type
event_word_type(const char *field)
{
	static const struct {
		const char *name;
		enum word_type type;
	} types[] = {
		{ "id", WORD_hex },
		{ "address", WORD_hex },
		{ "value", WORD_signed },
		{ "real", WORD_real },
		{ "flag", WORD_flag },
		{ "name", WORD_name },
		{ "node", WORD_node },
		{ "kind", WORD_kind },
		{ "reason", WORD_reason },
		{ "ending", WORD_ending },
		{ "measure", WORD_measure },
	};
	const char *colon = strchr(field, ':');

	if (colon == NULL)
		return (WORD_none);
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (strcmp(colon + 1, types[i].name) == 0)
			return (types[i].type);
	return (WORD_number);
}

const char *
ending_words(uint32_t ending, char buf[ENDING_WORDS_BYTES])
{
	unsigned n = ending & 0xff;

	switch (ending & ~0xffu) {
	case ENDING_EXITED:
		snprintf(buf, ENDING_WORDS_BYTES, "exited %u", n);
		return (buf);
	case ENDING_SIGNAL:
		snprintf(buf, ENDING_WORDS_BYTES, "signal %u", n);
		return (buf);
	case ENDING_BECAME:
		return ("became another program");
	case ENDING_RAN_ON:
		return ("ran on when the run ended");
	default:
		return ("vanished");
	}
}

const char *
measure_words(uint64_t measure, char buf[MEASURE_WORDS_BYTES])
{
	static const char *const of[] = { "thread", "process", "node", "?" };
	static const char *const unit[] = { "", ", ns", ", bytes",
		", thousandths" };
	uint64_t u = (measure & MEASURE_UNIT) >> 4;

	snprintf(buf, MEASURE_WORDS_BYTES, "%s%s%s", of[measure & MEASURE_OF],
	    measure & MEASURE_TOTAL ? ", total" : "",
	    u < sizeof(unit) / sizeof(unit[0]) ? unit[u] : ", ?");
	return (buf);
}
