/*
 * A trace of others, as any bytes, and a table of records, as any text: what
 * is made of them is a log without a violation, or a sentence.
 *
 * The first byte says which format, and whether to go on after what is wrong;
 * a table may stand before the trace, up to a NUL.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "check/validate.h"
#include "tools/import/import.h"

int LLVMFuzzerTestOneInput(const uint8_t *, size_t);

static struct validate *validate;

static void
complain(void *arg, const char *text)
{
	(void)arg;
	/* a sentence that a terminal can be trusted with */
	if (*text == '\0')
		abort();
	for (const char *p = text; *p != '\0'; p++)
		if ((unsigned char)*p < ' ')
			abort();
}

static void
violation(void *arg, const struct violation *v)
{
	(void)arg;
	fprintf(stderr, "%s\n", v->text);
	abort();
}

static void
define(enum msg_type type, const void *msg)
{
	struct buf b = { 0 };
	struct frame f;

	if (frame_append(&b, type, msg) == -1 ||
	    frame_parse(b.p, b.n, &f) != FRAME_OK ||
	    validate_definition(validate, &f) == -1)
		abort();
	buf_free(&b);
}

static int
take(void *arg, const struct event *e)
{
	(void)arg;
	return (validate_event(validate, e));
}

/* As monitorctl import writes it. */
static void
look(struct imported *m)
{
	struct msg_receipt r = { 0 };

	if ((validate = validate_new(violation, NULL)) == NULL)
		abort();
	for (uint32_t i = 1; i <= m->nplaces; i++) {
		struct msg_node node = { .node = i,
			.name = BYTES_STR("n"),
			.machine = BYTES_STR("") };
		struct msg_thread t = { .location = i,
			.node = i,
			.po = 1,
			.thread = 1,
			.name = BYTES_STR("") };
		struct msg_segment map = { .node = i, .state = 1 };

		define(MSG_node, &node);
		define(MSG_thread, &t);
		define(MSG_segment, &map);
	}
	for (uint32_t i = 1; i <= m->nnames; i++) {
		struct msg_name n = { .name = i,
			.text = BYTES_STR(m->names[i - 1]),
			.file = BYTES_STR(""),
			.program = BYTES_STR("") };

		define(MSG_name, &n);
	}
	if (imported_each(m, take, NULL) == -1)
		abort();
	validate_end(validate);
	r.published = r.stored = validate_counts(validate)->stored;
	r.orphans = m->orphans;
	if (r.stored != m->n)
		abort();
	validate_receipt(validate, &r);
	validate_free(validate);
}

/* The table of the format, then that of the input. */
static void
run(struct import *im, struct lines *l, const struct importer *f,
    const uint8_t *table, size_t n)
{
	if (records_read(im->records, f->records, strlen(f->records)) == -1)
		abort();
	if (records_read(im->records, (const char *)table, n) == -1 ||
	    records_ready(im->records) == -1) {
		complain(NULL, im->records->error);
		return;
	}
	if (f->read(im, l) == -1 && im->refused == 0)
		abort();
	look(im->made);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	uint8_t how = n > 0 ? data[0] : 0;
	const uint8_t *table = data + (n > 0), *p = table, *end = data + n;
	struct import im = { .keep = how & 4, .complain = complain };
	const struct importer *f = importer_at(how % 4);
	struct lines *l;
	int fd = memfd_create("trace", MFD_CLOEXEC);

	if (how & 8 && (p = memchr(table, '\0', (size_t)(end - p))) == NULL)
		p = end;
	im.made = imported_new();
	im.records = records_new();
	if (fd == -1 || im.made == NULL || im.records == NULL)
		abort();
	n = (size_t)(p - table);
	p += p < end && how & 8;
	if (write(fd, p, (size_t)(end - p)) != end - p ||
	    lseek(fd, 0, SEEK_SET) != 0 || (l = lines_open(fd)) == NULL)
		abort();
	if (f == NULL && (f = importer_for(l)) == NULL)
		f = importer_at(0);
	run(&im, l, f, table, n);
	lines_close(l);
	records_free(im.records);
	imported_free(im.made);
	return (0);
}
