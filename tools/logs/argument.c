/*
 * What a command has been given.
 */
#include "argument.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "badopt.h"
#include "log.h"

#define TEXT_BYTES 4095 /* of an option: a path is no longer */

struct tracefile *
log_open(const char *path, int *code)
{
	struct tracefile *tf;
	const char *why;

	if ((tf = tracefile_open(path, &why)) != NULL)
		return (tf);
	*code = errno == EINVAL   ? EX_DATAERR
		: errno == EACCES ? EX_NOPERM
		: errno == ENOMEM ? EX_OSERR
				  : EX_NOINPUT;
	log_warnx("%s: %s", path, why);
	return (NULL);
}

static int
define(void *arg, const struct frame *f)
{
	if (defs_add(arg, f) == 0)
		return (0);
	if (errno != EINVAL)
		return (-1);
	log_warnx("a damaged definition (%s) is left out; see monitorctl check",
	    msg_name(f->type));
	return (0);
}

struct defs *
log_defs(struct tracefile *tf)
{
	static const struct trace_sink sink = { .definition = define };
	struct defs *d;

	if ((d = defs_new()) == NULL ||
	    tracefile_each(tf, INT64_MAX, INT64_MAX, &sink, d) == -1) {
		log_warn("cannot read the definitions");
		defs_free(d);
		return (NULL);
	}
	return (d);
}

int
seconds_arg(const char *s, int64_t *ns)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end != '\0' || !(fabs(v) < 9e9))
		return (-1);
	*ns = (int64_t)llround(v * 1e9);
	return (0);
}

int
number_arg(const char *s, uint64_t max, uint64_t *v)
{
	char *end;

	if (*s < '0' || *s > '9')
		return (-1);
	errno = 0;
	*v = strtoull(s, &end, 10);
	return (*end != '\0' || errno != 0 || *v > max ? -1 : 0);
}

int
text_arg(const char *option, const char *value)
{
	return (badopt_text(option, value, TEXT_BYTES));
}
