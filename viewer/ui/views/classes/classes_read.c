/*
 * The run's programs, each read once from the disk of who looks at it, if it
 * still is the one that ran.  That takes some ms for each MB of debug
 * information, so a thread does it; a picture that nobody waits for waits for
 * that.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ui/views/classes/classes.h"

#define PROGRAMS_MAX 64
#define PAUSE        15 /* frames between looks for new ones */

enum state {
	READS,
	IS_DONE,
	IS_LEFT /* nobody wants it any more: it frees itself */
};

struct class_reader {
	pthread_t thread;
	_Atomic int state;
	char *path, *build_id; /* owned */
	struct program *p;
	const char *why;
};

static void
reader_free(struct class_reader *r)
{
	program_free(r->p);
	free(r->path);
	free(r->build_id);
	free(r);
}

static void *
reader_run(void *arg)
{
	struct class_reader *r = arg;

	r->p = program_read(r->path, r->build_id, &r->why);
	if (atomic_exchange(&r->state, IS_DONE) == IS_LEFT)
		reader_free(r);
	return (NULL);
}

static void
reader_leave(struct class_reader *r)
{
	pthread_t thread = r->thread;

	if (atomic_exchange(&r->state, IS_LEFT) == READS) {
		pthread_detach(thread);
		return;
	}
	pthread_join(thread, NULL);
	reader_free(r);
}

static struct class_reader *
reader_new(const char *path, const char *build_id)
{
	struct class_reader *r = calloc(1, sizeof(*r));

	if (r == NULL)
		return (NULL);
	r->path = strdup(path);
	r->build_id = strdup(build_id);
	if (r->path != NULL && r->build_id != NULL &&
	    pthread_create(&r->thread, NULL, reader_run, r) == 0)
		return (r);
	reader_free(r);
	return (NULL);
}

/* True: it is over, and was not when asked last. */
static bool
take(struct class_program *p, bool wait)
{
	struct class_reader *r = p->reader;

	if (r == NULL || (!wait && atomic_load(&r->state) == READS))
		return (false);
	pthread_join(r->thread, NULL);
	p->p = r->p;
	p->why = r->why;
	r->p = NULL;
	reader_free(r);
	p->reader = NULL;
	return (true);
}

static bool
is_known(const struct classes *c, const char *path, const char *build_id)
{
	for (uint32_t i = 0; i < c->programs; i++)
		if (strcmp(c->program[i].path, path) == 0 &&
		    strcmp(c->program[i].build_id, build_id) == 0)
			return (true);
	return (false);
}

static void
add(struct classes *c, const char *path, const char *build_id)
{
	struct class_program *more,
	    p = { .path = strdup(path), .build_id = strdup(build_id) };

	more = reallocarray(c->program, c->programs + 1, sizeof(*more));
	if (more != NULL)
		c->program = more;
	if (more == NULL || p.path == NULL || p.build_id == NULL) {
		free(p.path);
		free(p.build_id);
		return;
	}
	p.reader = reader_new(path, build_id);
	p.why = p.reader == NULL ? "there is no memory to read it" : NULL;
	c->program[c->programs++] = p;
}

static void
look(struct ui *ui, struct classes *c)
{
	const char *path, *build_id;

	c->programs_more = 0;
	for (uint32_t i = 0; i < model_pos(ui->model); i++) {
		path = model_po_file(ui->model, i, &build_id);
		if (path == NULL || is_known(c, path, build_id))
			continue;
		if (c->programs < PROGRAMS_MAX)
			add(c, path, build_id);
		else
			c->programs_more++;
	}
}

bool
classes_read(struct ui *ui, struct classes *c, bool wait)
{
	bool news = false;

	if (wait || ui->picture->frame >= c->due ||
	    c->pos != model_pos(ui->model)) {
		look(ui, c);
		c->pos = model_pos(ui->model);
		c->due = ui->picture->frame + PAUSE;
	}
	for (uint32_t i = 0; i < c->programs; i++)
		news |= take(&c->program[i], wait);
	return (news);
}

bool
classes_reading(const struct classes *c)
{
	for (uint32_t i = 0; i < c->programs; i++)
		if (c->program[i].reader != NULL)
			return (true);
	return (false);
}

void
classes_read_free(struct classes *c)
{
	for (uint32_t i = 0; i < c->programs; i++) {
		if (c->program[i].reader != NULL)
			reader_leave(c->program[i].reader);
		program_free(c->program[i].p);
		free(c->program[i].path);
		free(c->program[i].build_id);
	}
	free(c->program);
}
