/*
 * Reads a spool that nobody has acknowledged yet and says what is in it:
 *
 *	spoolcheck [-v] DIR
 *
 * Every event of every thread has to be there, in order of its sequence
 * numbers without gaps, times not falling; what is there twice is counted.
 * Prints "threads T stored N lost L twice D batches B published P unknown U"
 * and exits 1 when something is missing or the accounts do not agree.
 */
#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "batch.h"
#include "event.h"
#include "frame.h"

#define STREAMS 100000

struct seen {
	uint64_t next_seq, stored, lost, twice;
	int64_t last_ns;
	uint32_t po, thread;
	struct msg_account account;
};

static struct seen streams[STREAMS];
static uint32_t nstreams;
static uint64_t batches, missing, falling;
static int64_t watermark_ns = INT64_MIN;
static uint64_t early;
static int verbose;

static int
events(void *arg, uint32_t stream, uint64_t first_seq,
    const struct node_event *e, size_t n)
{
	struct seen *s = &streams[stream];

	(void)arg;
	if (stream >= STREAMS)
		return (1);
	if (stream >= nstreams)
		nstreams = stream + 1;
	if (first_seq > s->next_seq)
		missing += first_seq - s->next_seq;
	for (size_t i = 0; i < n; i++) {
		if (verbose && (s->thread == 0 || e[i].kind < 10))
			fprintf(stderr,
			    "batch %" PRIu64 " po %u thread %u "
			    "seq %" PRIu64 " %s\n",
			    batches, s->po, s->thread, first_seq + i,
			    event_desc(e[i].kind)->name);
		if (first_seq + i < s->next_seq) {
			s->twice++;
			continue;
		}
		if (e[i].t_node_ns < s->last_ns) {
			fprintf(stderr,
			    "po %u thread %u seq %" PRIu64
			    " %s: earlier by %" PRId64 " ns\n",
			    s->po, s->thread, first_seq + i,
			    event_desc(e[i].kind)->name,
			    s->last_ns - e[i].t_node_ns);
			falling++;
		}
		if (e[i].t_node_ns < watermark_ns)
			early++;
		s->last_ns = e[i].t_node_ns;
		s->next_seq = first_seq + i + 1;
		if (e[i].kind == EV_lost)
			s->lost += e[i].a;
		else
			s->stored++;
	}
	return (0);
}

static int
definition(void *arg, const struct frame *f)
{
	(void)arg;
	(void)f;
	return (0);
}

static void
frame(const struct frame *f)
{
	static const struct batch_sink sink = {
		.definition = definition,
		.events = events,
	};
	struct msg_batch batch;
	struct msg_account account;
	struct msg_thread thread;

	if (f->type == MSG_batch &&
	    msg_decode(MSG_batch, f->body, f->body_bytes, &batch) == 0) {
		if (batch_decode(batch.streams, &sink, NULL) != 0) {
			fprintf(stderr, "batch %" PRIu64 " is damaged\n",
			    batch.number);
			exit(1);
		}
		batches++;
		if (batch.watermark_node_ns > watermark_ns)
			watermark_ns = batch.watermark_node_ns;
	} else if (f->type == MSG_thread &&
		   msg_decode(MSG_thread, f->body, f->body_bytes, &thread) ==
		       0 &&
		   thread.location < STREAMS) {
		streams[thread.location].po = thread.po;
		streams[thread.location].thread = thread.thread;
		if (thread.location >= nstreams)
			nstreams = thread.location + 1;
	} else if (f->type == MSG_account &&
		   msg_decode(MSG_account, f->body, f->body_bytes, &account) ==
		       0 &&
		   account.known < 2) {
		for (uint32_t i = 1; i < nstreams; i++) {
			if (streams[i].po == account.po &&
			    streams[i].thread == account.thread)
				streams[i].account = account;
		}
	}
}

static void
file(const char *dir, const char *name)
{
	char path[1024];
	struct frame f;
	uint8_t *p;
	size_t at = 0;
	long n;
	FILE *fp;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	fp = fopen(path, "r");
	if (fp == NULL || fseek(fp, 0, SEEK_END) == -1 ||
	    (n = ftell(fp)) == -1 || (p = malloc((size_t)n + 1)) == NULL) {
		perror(path);
		exit(1);
	}
	rewind(fp);
	n = (long)fread(p, 1, (size_t)n, fp);
	while (frame_parse(p + at, (size_t)n - at, &f) == FRAME_OK) {
		frame(&f);
		at += f.frame_bytes;
	}
	free(p);
	fclose(fp);
}

static int
is_spool(const struct dirent *d)
{
	return (strstr(d->d_name, ".spool") != NULL);
}

int
main(int argc, char **argv)
{
	uint64_t stored = 0, lost = 0, twice = 0, published = 0, unknown = 0;
	uint64_t threads = 0, wrong = 0;
	struct dirent **names;
	int n;

	verbose = argc == 3 && strcmp(argv[1], "-v") == 0;
	argv += verbose;
	if (argc - verbose != 2)
		return (64);
	file(argv[1], "journal"); /* who is who */
	n = scandir(argv[1], &names, is_spool, alphasort);
	for (int i = 0; i < n; i++) {
		file(argv[1], names[i]->d_name);
		free(names[i]);
	}
	if (n >= 0)
		free(names);
	file(argv[1], "journal");
	for (uint32_t i = 1; i < nstreams; i++) {
		struct seen *s = &streams[i];

		if (s->po == 0)
			continue;
		threads++;
		stored += s->stored;
		lost += s->lost;
		twice += s->twice;
		published += s->account.published;
		unknown += s->account.known == 0;
		if (s->account.known &&
		    s->account.published != s->stored + s->lost) {
			fprintf(stderr,
			    "po %u thread %u: published %" PRIu64
			    " stored %" PRIu64 " lost %" PRIu64 "\n",
			    s->po, s->thread, s->account.published, s->stored,
			    s->lost);
			wrong++;
		}
	}
	printf("threads %" PRIu64 " stored %" PRIu64 " lost %" PRIu64
	       " twice %" PRIu64 " batches %" PRIu64 " published %" PRIu64
	       " unknown %" PRIu64 " missing %" PRIu64 " falling %" PRIu64
	       " early %" PRIu64 "\n",
	    threads, stored, lost, twice, batches, published, unknown, missing,
	    falling, early);
	return (wrong > 0 || missing > 0 || falling > 0 || early > 0);
}
