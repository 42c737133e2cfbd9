/*
 * The cluster file.
 *
 * confcheck.c has found everything that could be wrong; libcyaml then fills
 * plain structs by the schema below, ranges are expanded and defaults put in.
 */
#include "conf.h"

#include <arpa/inet.h>

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>

#include "choice.h"
#include "confcheck.h"

#define FILE_BYTES_MAX (1u << 20)
#define CLASSES_MAX    64    /* in a mask; there are a dozen */
#define NODES_MAX      10000 /* in the list; each may stand for many */

const char *const conf_launch_name[CONF_LAUNCHES] = {
	[CONF_LOCAL] = "local",
	[CONF_SSH] = "ssh",
	[CONF_NONE] = "none",
};

/* clang-format off */
#define TEXT(key, flags, type, member)					\
	CYAML_FIELD_STRING_PTR(key, CYAML_FLAG_POINTER | (flags), struct type, member, 0, CYAML_UNLIMITED)
#define OPTION(key) TEXT(#key, CYAML_FLAG_OPTIONAL, raw_node, key)

static const cyaml_schema_value_t class_schema = {
	CYAML_VALUE_STRING(CYAML_FLAG_POINTER, char, 0, CYAML_UNLIMITED),
};

#define OPTIONS								\
	OPTION(launch), OPTION(host), OPTION(user), OPTION(collector),	\
	OPTION(dir), OPTION(ssh), OPTION(ring), OPTION(rings),		\
	OPTION(spool), OPTION(flush), OPTION(full), OPTION(counters),	\
	OPTION(sched), OPTION(sample),					\
	OPTION(test_clock),						\
	CYAML_FIELD_SEQUENCE("mask", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, \
	    struct raw_node, mask, &class_schema, 0, CLASSES_MAX)

static const cyaml_schema_field_t node_fields[] = {
	TEXT("name", 0, raw_node, name),
	OPTIONS,
	CYAML_FIELD_END
};

static const cyaml_schema_field_t default_fields[] = {
	OPTIONS,
	CYAML_FIELD_END
};

static const cyaml_schema_value_t node_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, struct raw_node, node_fields),
};

static const cyaml_schema_field_t conf_fields[] = {
	TEXT("name", CYAML_FLAG_OPTIONAL, raw_conf, name),
	TEXT("log", CYAML_FLAG_OPTIONAL, raw_conf, log),
	TEXT("index", CYAML_FLAG_OPTIONAL, raw_conf, index),
	TEXT("listen", CYAML_FLAG_OPTIONAL, raw_conf, listen),
	CYAML_FIELD_SEQUENCE("probe", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
	    struct raw_conf, probe, &class_schema, 0, CHOICE_RULES),
	CYAML_FIELD_MAPPING_PTR("defaults", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL,
	    struct raw_conf, defaults, default_fields),
	CYAML_FIELD_SEQUENCE("nodes", CYAML_FLAG_POINTER, struct raw_conf, nodes,
	    &node_schema, 0, NODES_MAX),
	CYAML_FIELD_END
};

const cyaml_schema_value_t conf_schema = {
	CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, struct raw_conf, conf_fields),
};
/* clang-format on */

static const cyaml_config_t cyaml_config = { .mem_fn = cyaml_mem,
	.log_level = CYAML_LOG_ERROR };

/* --- addresses --- */

static bool
is_loopback(const char *host)
{
	struct in_addr v4;

	if (strcmp(host, "[::1]") == 0 || strcmp(host, "localhost") == 0)
		return (true);
	return (inet_pton(AF_INET, host, &v4) == 1 &&
		ntohl(v4.s_addr) >> 24 == 127);
}

const char *
conf_address_problem(const char *address)
{
	static const char form[] = "tcp:127.0.0.1:PORT or unix:PATH was "
				   "expected";
	char host[64], *end;
	const char *colon;
	long port;

	if (strncmp(address, "unix:/", 6) == 0)
		return (strlen(address) < 5 + 108
			    ? NULL
			    : "the path of a socket has at most 107 bytes");
	if (strncmp(address, "tcp:", 4) != 0)
		return (form);
	address += 4;
	colon = strrchr(address, ':');
	if (colon == NULL || colon == address ||
	    (size_t)(colon - address) >= sizeof(host))
		return (form);
	snprintf(host, sizeof(host), "%.*s", (int)(colon - address), address);
	port = strtol(colon + 1, &end, 10);
	if (colon[1] < '0' || colon[1] > '9' || *end != '\0' || port < 1 ||
	    port > 65535)
		return ("a port from 1 to 65535 was expected");
	if (!is_loopback(host))
		return ("others could reach this address, and monitord cannot "
			"tell who is who yet; use a loopback address "
			"(127.0.0.1, [::1]) or unix:PATH, and ssh for other "
			"machines");
	return (NULL);
}

/* --- from what stands in the file to nodes --- */

static char *
copy(const char *own, const char *dflt, bool *failed)
{
	const char *s = own != NULL ? own : dflt;
	char *p;

	if (s == NULL)
		return (NULL);
	p = strdup(s);
	if (p == NULL)
		*failed = true;
	return (p);
}

/* The classes with commas between, as the collector's --mask has them. */
static char *
join(char *const *v, unsigned n, bool *failed)
{
	size_t bytes = 1;
	char *s, *end;

	for (unsigned i = 0; i < n; i++)
		bytes += strlen(v[i]) + 1;
	s = end = calloc(1, bytes);
	if (s == NULL) {
		*failed = true;
		return (NULL);
	}
	for (unsigned i = 0; i < n; i++) {
		if (i > 0)
			*end++ = ',';
		end = stpcpy(end, v[i]);
	}
	return (s);
}

static enum conf_launch
launch_of(const char *s)
{
	for (int i = 0; s != NULL && i < CONF_LAUNCHES; i++)
		if (strcmp(conf_launch_name[i], s) == 0)
			return ((enum conf_launch)i);
	return (CONF_LOCAL);
}

static int
fill_node(struct conf_node *n, const struct raw_node *r,
    const struct raw_node *d)
{
	const struct raw_node *m = r->mask_count > 0 ? r : d;
	bool failed = false;

	n->launch = launch_of(r->launch != NULL ? r->launch : d->launch);
	n->user = copy(r->user, d->user, &failed);
	n->collector = copy(r->collector, d->collector, &failed);
	n->dir = copy(r->dir, d->dir, &failed);
	n->ssh = copy(r->ssh, d->ssh, &failed);
	n->ring = copy(r->ring, d->ring, &failed);
	n->rings = copy(r->rings, d->rings, &failed);
	n->spool = copy(r->spool, d->spool, &failed);
	n->flush = copy(r->flush, d->flush, &failed);
	n->full = copy(r->full, d->full, &failed);
	n->sched = copy(r->sched, d->sched, &failed);
	n->sample = copy(r->sample, d->sample, &failed);
	n->counters = copy(r->counters, d->counters, &failed);
	n->test_clock = copy(r->test_clock, d->test_clock, &failed);
	if (m->mask_count > 0)
		n->mask = join(m->mask, m->mask_count, &failed);
	return (failed ? -1 : 0);
}

struct expansion {
	struct conf *conf;
	const struct raw_node *raw, *defaults;
	size_t first; /* of the nodes that this entry makes */
	size_t host;
	bool failed;
};

static int
node_cb(void *arg, const char *name)
{
	struct expansion *x = arg;
	struct conf *conf = x->conf;
	struct conf_node *p;

	p = realloc(conf->nodes, (conf->nnodes + 1) * sizeof(*p));
	if (p == NULL) {
		x->failed = true;
		return (1);
	}
	conf->nodes = p;
	p += conf->nnodes++;
	memset(p, 0, sizeof(*p));
	p->name = strdup(name);
	if (p->name == NULL || fill_node(p, x->raw, x->defaults) == -1)
		x->failed = true;
	return (x->failed);
}

static int
host_cb(void *arg, const char *name)
{
	struct expansion *x = arg;
	struct conf_node *n = &x->conf->nodes[x->first + x->host++];

	n->host = strdup(name);
	if (n->host == NULL)
		x->failed = true;
	return (x->failed);
}

static int
expand(struct conf *conf, const struct raw_node *raw,
    const struct raw_node *defaults)
{
	struct expansion x = { .conf = conf,
		.raw = raw,
		.defaults = defaults,
		.first = conf->nnodes };
	const char *why, *host = raw->host != NULL ? raw->host : defaults->host;
	const char *one;
	size_t at;

	hostrange_each(raw->name, node_cb, &x, &why, &at);
	/* as many hosts as nodes, or one for all, or the node's own name */
	if (host != NULL && strchr(host, '[') != NULL && raw->host != NULL)
		hostrange_each(host, host_cb, &x, &why, &at);
	for (size_t i = x.first; i < conf->nnodes && !x.failed; i++) {
		if (conf->nodes[i].host != NULL)
			continue;
		one = host != NULL && strchr(host, '[') == NULL
			  ? host
			  : conf->nodes[i].name;
		conf->nodes[i].host = strdup(one);
		if (conf->nodes[i].host == NULL)
			x.failed = true;
	}
	return (x.failed ? -1 : 0);
}

/* They have been checked one by one; together they may be too many. */
static char *
rules_of(char *const *v, unsigned n, bool *failed)
{
	static struct choice c;
	char *text = malloc(CHOICE_TEXT_BYTES);

	c.n = 0;
	for (unsigned i = 0; i < n; i++)
		(void)choice_typed(&c, v[i]);
	*failed |= text == NULL;
	if (text != NULL)
		(void)choice_print(&c, text);
	return (text);
}

static struct conf *
from_raw(const struct raw_conf *raw)
{
	static const struct raw_node none;
	struct conf *conf = calloc(1, sizeof(*conf));
	bool failed = false;

	if (conf == NULL)
		return (NULL);
	conf->name = copy(raw->name, NULL, &failed);
	conf->log = copy(raw->log, NULL, &failed);
	conf->index = copy(raw->index, NULL, &failed);
	conf->listen = copy(raw->listen, NULL, &failed);
	if (raw->probe_count > 0)
		conf->probe = rules_of(raw->probe, raw->probe_count, &failed);
	for (unsigned i = 0; i < raw->nodes_count && !failed; i++)
		failed =
		    expand(conf, &raw->nodes[i],
			raw->defaults != NULL ? raw->defaults : &none) == -1;
	if (failed) {
		conf_free(conf);
		return (NULL);
	}
	return (conf);
}

/* --- reading --- */

static void __attribute__((format(printf, 3, 4)))
say(conf_report *report, void *arg, const char *fmt, ...)
{
	char text[600];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	report(arg, text);
}

struct conf *
conf_parse(const char *path, const char *text, size_t n, conf_report *report,
    void *arg, int *code)
{
	struct raw_conf *raw = NULL;
	struct conf *conf;
	cyaml_err_t err;

	*code = EX_CONFIG;
	if (conf_check(path, text, n, report, arg) > 0)
		return (NULL);
	err = cyaml_load_data((const uint8_t *)text, n, &cyaml_config,
	    &conf_schema, (cyaml_data_t **)&raw, NULL);
	if (err != CYAML_OK) { /* nothing that the check knows: say so */
		say(report, arg, "%s: cannot be read: %s", path,
		    cyaml_strerror(err));
		return (NULL);
	}
	conf = from_raw(raw);
	cyaml_free(&cyaml_config, &conf_schema, raw, 0);
	if (conf == NULL) {
		say(report, arg, "out of memory");
		*code = EX_OSERR;
	}
	return (conf);
}

struct conf *
conf_read(const char *path, conf_report *report, void *arg, int *code)
{
	struct conf *conf = NULL;
	char *text = malloc(FILE_BYTES_MAX + 1);
	FILE *f = fopen(path, "re");
	size_t n;

	*code = EX_NOINPUT;
	if (f == NULL || text == NULL) {
		say(report, arg, "%s: %s", path, strerror(errno));
		goto out;
	}
	n = fread(text, 1, FILE_BYTES_MAX + 1, f);
	if (ferror(f))
		say(report, arg, "%s: %s", path, strerror(errno));
	else if (n > FILE_BYTES_MAX)
		say(report, arg,
		    "%s: longer than 1 MiB; is this a cluster "
		    "file?",
		    path);
	else
		conf = conf_parse(path, text, n, report, arg, code);
out:
	if (f != NULL)
		fclose(f);
	free(text);
	return (conf);
}

struct conf *
conf_local(void)
{
	static const struct raw_node none;
	struct raw_node local = { .name = (char[]){ "local" } };
	struct conf *conf = calloc(1, sizeof(*conf));

	if (conf == NULL || expand(conf, &local, &none) == -1) {
		conf_free(conf);
		return (NULL);
	}
	return (conf);
}

void
conf_free(struct conf *conf)
{
	struct conf_node *n;

	if (conf == NULL)
		return;
	for (size_t i = 0; i < conf->nnodes; i++) {
		n = &conf->nodes[i];
		char *const strings[] = { n->name, n->host, n->user,
			n->collector, n->dir, n->ssh, n->ring, n->rings,
			n->spool, n->flush, n->mask, n->full, n->counters,
			n->sched, n->sample, n->test_clock };

		for (size_t k = 0; k < sizeof(strings) / sizeof(strings[0]);
		     k++)
			free(strings[k]);
	}
	free(conf->nodes);
	free(conf->name);
	free(conf->log);
	free(conf->index);
	free(conf->listen);
	free(conf->probe);
	free(conf);
}
