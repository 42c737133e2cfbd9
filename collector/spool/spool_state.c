/*
 * What a spool knows besides its batches: its epoch, the node's number, the
 * run, what was acknowledged at the last clean end, and since which start it is
 * used by this boot of this machine, whose clock its times are of.
 *
 * It is a line of text each, written anew beside the old file and renamed over
 * it.  A check at its end tells a damaged one, which is made anew.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "spool_inside.h"

#define STATE_TRIES 16 /* to read it */

/* Of the text before it, so that no flipped bit makes another run of it. */
static uint64_t
state_hash(const char *text, size_t n)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ (uint8_t)text[i]) * 0x100000001b3u;
	return (h);
}

int
spool_state_write(struct spool *sp)
{
	struct env_file *f;
	char path[PATH_BYTES], from[PATH_BYTES], text[256], hex[33];
	int n, rc = -1;

	for (int i = 0; i < 16; i++)
		snprintf(hex + (ptrdiff_t)2 * i, 3, "%02x", sp->run.b[i]);
	n = snprintf(text, sizeof(text),
	    "epoch %" PRIu64 "\nnode %" PRIu32 "\nrun %s\nacked %" PRIu64
	    "\nmachine %016" PRIx64 "\nsince %" PRIu64 "\n",
	    sp->epoch, sp->node, hex, sp->acked, sp->machine, sp->since);
	n += snprintf(text + n, sizeof(text) - (size_t)n,
	    "check %016" PRIx64 "\n", state_hash(text, (size_t)n));
	spool_path(sp, from, "state.new");
	spool_path(sp, path, "state");
	f = sp->env->ops->open(sp->env, from,
	    ENV_WRITE | ENV_CREATE | ENV_TRUNCATE);
	if (f == NULL)
		return (-1);
	if (sp->env->ops->write_at(f, text, (size_t)n, 0) == n &&
	    sp->env->ops->sync(f) == 0)
		rc = 0;
	sp->env->ops->file_close(f);
	if (rc == 0)
		rc = sp->env->ops->rename(sp->env, from, path);
	if (rc == 0)
		rc = sp->env->ops->sync_dir(sp->env, sp->dir);
	return (rc);
}

/* One try.  1: good, 0: there is none that makes sense, -1: unreadable. */
static int
state_text(struct spool *sp, char *text, size_t size)
{
	struct env_file *f;
	char path[PATH_BYTES], *check;
	ssize_t n;

	spool_path(sp, path, "state");
	f = sp->env->ops->open(sp->env, path, ENV_READ);
	if (f == NULL)
		return (errno == ENOENT ? 0 : -1);
	n = sp->env->ops->read_at(f, text, size - 1, 0);
	sp->env->ops->file_close(f);
	if (n <= 0)
		return (n == 0 ? 0 : -1);
	text[n] = '\0';
	check = strstr(text, "check ");
	return (check != NULL && strtoull(check + 6, NULL, 16) ==
				     state_hash(text, (size_t)(check - text)));
}

int
spool_state_read(struct spool *sp)
{
	char text[256] = "", hex[33];
	unsigned byte;
	int got = 0;

	for (int i = 0; i < STATE_TRIES && got == 0; i++)
		got = state_text(sp, text, sizeof(text));
	if (got == -1)
		return (-1);
	if (got == 0 && text[0] != '\0')
		log_warnx("%s: its state is damaged and is made anew", sp->dir);
	if (got == 0 ||
	    sscanf(text,
		"epoch %" SCNu64 "\nnode %" SCNu32 "\nrun %32s\nacked %" SCNu64
		"\nmachine %" SCNx64 "\nsince %" SCNu64,
		&sp->epoch, &sp->node, hex, &sp->acked, &sp->machine,
		&sp->since) < 3)
		return (0);
	for (int i = 0; i < 16; i++) {
		if (sscanf(hex + (ptrdiff_t)2 * i, "%2x", &byte) != 1)
			break;
		sp->run.b[i] = (uint8_t)byte;
	}
	return (0);
}

void
spool_state_start(struct spool *sp)
{
	const char *id = sp->env->ops->machine(sp->env);
	uint64_t machine = state_hash(id, strlen(id));

	sp->epoch++;
	if (sp->since == 0 || sp->machine != machine)
		sp->since = sp->epoch;
	sp->machine = machine;
}
