/*
 * What a launcher runs: the words of the command line, here or, quoted for a
 * shell and behind ssh's own, on the other side.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "launch_inside.h"
#include "shellword.h"

/* What is handed on from the cluster file to the collector. */
static const struct {
	const char *option;
	size_t offset;
} passed[] = {
	{ "--name", offsetof(struct conf_node, name) },
	{ "--dir", offsetof(struct conf_node, dir) },
	{ "--ring", offsetof(struct conf_node, ring) },
	{ "--rings", offsetof(struct conf_node, rings) },
	{ "--spool-limit", offsetof(struct conf_node, spool) },
	{ "--flush", offsetof(struct conf_node, flush) },
	{ "--mask", offsetof(struct conf_node, mask) },
	{ "--counters", offsetof(struct conf_node, counters) },
	{ "--sched", offsetof(struct conf_node, sched) },
	{ "--sample", offsetof(struct conf_node, sample) },
	{ "--full", offsetof(struct conf_node, full) },
	{ "--test-clock", offsetof(struct conf_node, test_clock) },
};
#define NPASSED (sizeof(passed) / sizeof(passed[0]))

static const char *
setting(const struct conf_node *n, size_t offset)
{
	return (*(char *const *)(const void *)((const char *)n + offset));
}

static void
args_add(struct args *a, const char *s)
{
	if (a->n < ARGS_MAX && (a->v[a->n] = strdup(s)) != NULL)
		a->v[++a->n] = NULL;
}

void
launch_args_free(struct args *a)
{
	for (size_t i = 0; i < a->n; i++)
		free(a->v[i]);
}

void
launch_args_local(const struct child *ch, struct args *a)
{
	const struct conf_node *n = ch->node;
	char address[128];
	const char *s;

	args_add(a,
	    n->collector != NULL ? n->collector : ch->launch->collector);
	for (size_t i = 0; i < NPASSED; i++) {
		s = setting(n, passed[i].offset);
		if (s == NULL)
			continue;
		args_add(a, passed[i].option);
		args_add(a, s);
	}
	args_add(a, "--monitord");
	snprintf(address, sizeof(address), "unix:%s", ch->launch->socket);
	args_add(a, address);
	if (ch->launch->verbose > 0)
		args_add(a, "-v");
}

/*
 * The shell command over there.  The collector stops when its input ends,
 * which it does when our ssh goes away, however that happens.
 */
static char *
remote_command(const struct child *ch, const char *before, const char *sock)
{
	const struct conf_node *n = ch->node;
	char *text = NULL;
	size_t bytes;
	FILE *f = open_memstream(&text, &bytes);
	const char *s;

	if (f == NULL)
		return (NULL);
	/* those that a death over there has left are of no use to anybody */
	fprintf(f, "for s in");
	shellword_put(f, before);
	fprintf(f, "*.sock; do [ \"$s\" = '%s' ] || rm -f \"$s\"; done;", sock);
	shellword_put(f, n->collector != NULL ? n->collector : "collector");
	fprintf(f, " --monitord 'unix:%s'", sock);
	for (size_t i = 0; i < NPASSED; i++) {
		s = setting(n, passed[i].offset);
		if (s == NULL)
			continue;
		fprintf(f, " %s", passed[i].option);
		shellword_put(f, s);
	}
	fprintf(f, " --stdin-exit; r=$?; rm -f '%s'; exit $r", sock);
	if (fclose(f) != 0) {
		free(text);
		return (NULL);
	}
	return (text);
}

void
launch_args_ssh(const struct child *ch, struct args *a)
{
	const struct conf_node *n = ch->node;
	char forward[256], before[96], sock[128], *words, *w, *save, *command;
	struct timespec ts;

	words = strdup(n->ssh != NULL ? n->ssh : "ssh");
	if (words == NULL)
		return;
	for (w = strtok_r(words, " ", &save); w != NULL;
	     w = strtok_r(NULL, " ", &save))
		args_add(a, w);
	free(words);
	/* a fresh name each time: a leftover would be in the way */
	clock_gettime(CLOCK_REALTIME, &ts);
	snprintf(before, sizeof(before), "/tmp/orrery-%d-%.40s,", (int)getpid(),
	    n->name);
	snprintf(sock, sizeof(sock), "%s%lx%lx.sock", before, (long)ts.tv_sec,
	    ts.tv_nsec);
	snprintf(forward, sizeof(forward), "%s:%s", sock, ch->launch->socket);
	args_add(a, "-o");
	args_add(a, "BatchMode=yes");
	args_add(a, "-o");
	args_add(a, "ExitOnForwardFailure=yes");
	args_add(a, "-o");
	args_add(a, "ServerAliveInterval=5");
	args_add(a, "-R");
	args_add(a, forward);
	if (n->user != NULL) {
		args_add(a, "-l");
		args_add(a, n->user);
	}
	args_add(a, "--");
	args_add(a, n->host);
	command = remote_command(ch, before, sock);
	if (command != NULL)
		args_add(a, command);
	free(command);
}
