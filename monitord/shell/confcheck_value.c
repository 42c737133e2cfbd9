/*
 * What the values of a cluster file must look like: a row for each key, with a
 * test and with the words for what was expected.
 */
#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <yaml.h>

#include "choice.h"
#include "confcheck_inside.h"
#include "event.h"
#include "indexer.h"

#define PATH_BYTES 4095

/* A whole number of at most `max` and one of the units. */
static bool
is_quantity(const char *s, const char *const *units, unsigned long max)
{
	char *end;
	unsigned long v;

	if (!isdigit((unsigned char)s[0]))
		return (false);
	errno = 0;
	v = strtoul(s, &end, 10);
	if (v == 0 || v > max || errno != 0)
		return (false);
	for (; *units != NULL; units++)
		if (strcmp(end, *units) == 0)
			return (true);
	return (false);
}

/* In bytes; 0: it is no size. */
static uint64_t
size_of(const char *s)
{
	static const char *const units[] = { "", "K", "M", "G", NULL };
	char *end;
	uint64_t v;

	if (!is_quantity(s, units, 1ul << 30))
		return (0);
	v = strtoull(s, &end, 10);
	return (v << (*end == 'K'   ? 10
		      : *end == 'M' ? 20
		      : *end == 'G' ? 30
				    : 0));
}

/* What the collector takes: see its check_geometry(). */
static bool
is_ring(const char *s)
{
	uint64_t bytes = size_of(s);

	return (bytes >= 4096 && bytes <= UINT64_C(1) << 30);
}

static bool
is_spool(const char *s)
{
	return (size_of(s) >= UINT64_C(16) << 20);
}

static bool
is_duration(const char *s)
{
	static const char *const units[] = { "us", "ms", "s", NULL };

	return (is_quantity(s, units, 1000000));
}

static bool
is_period(const char *s)
{
	return (strcmp(s, "0") == 0 || is_duration(s));
}

static bool
is_yes(const char *s)
{
	return (strcmp(s, "yes") == 0 || strcmp(s, "no") == 0);
}

static bool
is_rate(const char *s)
{
	static const char *const units[] = { "", NULL };

	return (strcmp(s, "0") == 0 || is_quantity(s, units, 10000));
}

static bool
is_rings(const char *s)
{
	static const char *const units[] = { "", NULL };

	return (is_quantity(s, units, 65536));
}

static bool
is_launch(const char *s)
{
	for (int i = 0; i < CONF_LAUNCHES; i++)
		if (strcmp(s, conf_launch_name[i]) == 0)
			return (true);
	return (false);
}

static bool
is_full(const char *s)
{
	static const char *const units[] = { "", NULL };

	return (
	    strcmp(s, "discard") == 0 ||
	    (strncmp(s, "wait:", 5) == 0 && is_quantity(s + 5, units, 60000)));
}

static bool
is_class(const char *s)
{
	if (strcmp(s, "all") == 0)
		return (true);
	for (int i = 0; i < EVENT_CLASSES; i++)
		if (strcmp(s, event_class_name[i]) == 0)
			return (true);
	return (false);
}

static bool
is_rule(const char *s)
{
	static struct choice c;

	c.n = 0;
	return (choice_typed(&c, s) == NULL);
}

static bool
is_test_clock(const char *s)
{
	char *end;

	for (int i = 0; i < 3; i++, s = end + 1) {
		strtod(s, &end);
		if (end == s || (*end != ',' && *end != '\0'))
			return (false);
		if (*end == '\0')
			return (i >= 1);
	}
	return (false);
}

static bool
is_index(const char *s)
{
	uint64_t events;

	return (indexer_when(s, &events));
}

static bool
is_text(const char *s)
{
	return (s[0] != '\0');
}

/* No blank, and nothing that ssh could take for an option. */
bool
confcheck_is_word(const char *s)
{
	if (s[0] == '\0' || s[0] == '-')
		return (false);
	for (; *s != '\0'; s++)
		if (isspace((unsigned char)*s) || iscntrl((unsigned char)*s))
			return (false);
	return (true);
}

static const struct {
	const char *key;
	bool (*is)(const char *);
	const char *expected;
	size_t bytes_max; /* 0: what it must look like is short enough */
} values[] = {
	{ "log", is_text, "the name of a file", PATH_BYTES },
	{ "index", is_index, "yes, no or a number of events", 0 },
	{ "name", confcheck_is_word, "a name without blanks",
	    CONFCHECK_NAME_BYTES },
	{ "launch", is_launch, "local, ssh or none", 0 },
	{ "host", confcheck_is_word, "the name of a host",
	    CONFCHECK_NAME_BYTES },
	{ "user", confcheck_is_word, "the name of a user",
	    CONFCHECK_NAME_BYTES },
	{ "collector", is_text, "the path of the collector program",
	    PATH_BYTES },
	{ "dir", is_text, "a directory", CONFCHECK_NAME_BYTES },
	{ "ssh", is_text, "the ssh command", PATH_BYTES },
	{ "ring", is_ring, "a size such as 2M (K, M, G), from 4K to 1G", 0 },
	{ "rings", is_rings, "a whole number from 1 to 65536", 0 },
	{ "spool", is_spool, "a size such as 256M (K, M, G), 16M at least", 0 },
	{ "flush", is_duration, "a duration such as 5ms (us, ms, s)", 0 },
	{ "counters", is_period, "0, or a duration such as 100ms (us, ms, s)",
	    0 },
	{ "sched", is_yes, "yes or no", 0 },
	{ "sample", is_rate, "how often in a second, from 0 to 10000", 0 },
	{ "full", is_full, "discard, or wait:MS (at most 60000)", 0 },
	{ "test_clock", is_test_clock, "SECONDS,PPM or SECONDS,PPM,WANDER_PPM",
	    0 },
	{ "probe", is_rule,
	    "a rule such as -lock, -call:db_* or \"+memory --program=p\", see "
	    "monitorctl(1)",
	    0 },
	{ "mask", is_class,
	    "a class of events: life, task, block, call, message, rpc, lock, "
	    "object, memory, phase, note, monitor, sample; or all",
	    0 },
};
#define NVALUES (sizeof(values) / sizeof(values[0]))

void
confcheck_value(struct check *ck, const char *key, const yaml_node_t *v)
{
	const char *s = (const char *)v->data.scalar.value;

	if (strlen(s) != v->data.scalar.length) {
		problem(ck, v, "%s: a NUL byte is not allowed", key);
		return;
	}
	for (size_t i = 0; i < NVALUES; i++) {
		if (strcmp(values[i].key, key) != 0)
			continue;
		if (!values[i].is(s))
			problem(ck, v, "%s: %s was expected, not '%.60s'", key,
			    values[i].expected, s);
		else if (values[i].bytes_max > 0 &&
			 strlen(s) > values[i].bytes_max)
			problem(ck, v, "%s: at most %zu bytes were expected",
			    key, values[i].bytes_max);
		else
			break;
		return;
	}
	if (strcmp(key, "listen") == 0 && conf_address_problem(s) != NULL)
		problem(ck, v, "listen: %s", conf_address_problem(s));
}
