/*
 * What a collector has seen of a command, by its query port.
 *
 * The process itself is known by its number.  Others that attached since the
 * command began are its children most of the time, but may be anybody's: they
 * are told of apart.
 */
#include "run_seen.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "log.h"
#include "paths.h"
#include "tools/ask/ask.h"
#include "tools/doc/yaml.h"

#define DRAINED_MS    3000 /* so long the collector may take to read the last */
#define LOOK_MS       5
#define REFUSED_MS    10
#define REFUSED_LOOKS 20

struct seen {
	unsigned processes, threads;
	uint64_t published, lost;
};

struct all_seen {
	uint32_t last_po; /* of all that the collector knows */
	struct seen own, others;
	bool drained; /* the process has ended and all of it was read */
};

static void
seen_add(struct all_seen *all, const struct run_before *b, pid_t pid,
    const struct msg_answer *m, uint32_t *own_po)
{
	struct seen *s = &all->others;

	if (m->po > all->last_po)
		all->last_po = m->po;
	if (m->po <= b->last_po)
		return;
	if (m->thread == 0 && m->os_id == (uint32_t)pid)
		*own_po = m->po; /* the last one: it may have become another */
	if (m->po == *own_po) {
		s = &all->own;
		all->drained &= !m->alive;
	}
	s->processes += m->thread == 0;
	s->threads += m->thread != 0;
	/* of a process itself, its collector tells: only losses are its own */
	s->published += m->thread != 0 ? m->published : m->lost;
	s->lost += m->lost;
}

static int
look(const struct run_before *b, pid_t pid, struct all_seen *all)
{
	const struct msg_query q = { 0 };
	struct msg_answer m = { 0 };
	char path[PATH_MAX];
	uint32_t own_po = 0;
	struct ask a;
	int rc = -1;

	*all = (struct all_seen){ .drained = true };
	if (paths_collector(path, sizeof(path), b->node) == -1 ||
	    ask_connect(&a, path) == -1)
		return (-1);
	if (ask_send(&a, MSG_query, &q) == -1)
		goto out;
	do {
		if (ask_receive(&a, MSG_answer, &m, ASK_TIMEOUT_MS) == -1)
			goto out;
		seen_add(all, b, pid, &m, &own_po);
	} while (m.more);
	rc = 0;
out:
	ask_close(&a);
	return (rc);
}

int
run_seen_before(struct run_before *b)
{
	struct all_seen all;

	b->last_po = UINT32_MAX;
	if (look(b, 0, &all) == -1)
		return (-1);
	b->last_po = all.last_po;
	return (0);
}

/* --- why nothing --- */

/* The monitor's word about a process that could not attach; "": none. */
static void
why_refused(const struct run_before *b, pid_t pid, char *why, size_t n)
{
	char mark[32], path[PATH_MAX];
	struct buf text = { 0 };
	struct yaml y = { 0 };
	struct ask a;
	int code;

	*why = '\0';
	snprintf(mark, sizeof(mark), "(process %d)", (int)pid);
	/* elsewhere, perhaps: that is no failure of the program */
	if (b->socket == NULL && paths_monitord(path, sizeof(path)) == -1)
		return;
	if (ask_connect(&a, b->socket != NULL ? b->socket : path) == -1)
		return;
	ask_close(&a);
	if (ask_monitord(&a, b->socket) == -1)
		return;
	if (status_ask(&a, &text, &code) == 0 && code == EX_OK &&
	    yaml_parse(&y, (const char *)text.p, text.n) == 0) {
		for (unsigned i = 0; *yaml_get(&y, "nodes.%u.name", i) != '\0';
		     i++) {
			const char *s =
			    yaml_get(&y, "nodes.%u.unattached_why", i);

			if (strstr(s, mark) != NULL)
				snprintf(why, n, "%s", s);
		}
	}
	yaml_clear(&y);
	buf_free(&text);
	ask_close(&a);
}

/*
 * Does a program name libprobe, or have it within?  A dynamic one has the name
 * of the library in it, one linked statically the names of its variables.
 */
static bool
has_libprobe(const char *file, bool *is_elf, bool *is_set_id)
{
	static const char *const marks[] = { "libprobe.so", "ORRERY_FULL" };
	struct stat st;
	bool has = false;
	char *p;
	int fd = open(file, O_RDONLY | O_CLOEXEC);

	*is_elf = *is_set_id = false;
	if (fd == -1)
		return (false);
	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 4 &&
	    (p = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd,
		 0)) != MAP_FAILED) {
		*is_elf = memcmp(p, "\177ELF", 4) == 0;
		*is_set_id = (st.st_mode & (S_ISUID | S_ISGID)) != 0;
		for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
			has |= memmem(p, (size_t)st.st_size, marks[i],
				   strlen(marks[i])) != NULL;
		munmap(p, (size_t)st.st_size);
	}
	close(fd);
	return (has);
}

void
run_program_path(const char *name, char *path, size_t n)
{
	const char *at = getenv("PATH"), *end;

	snprintf(path, n, "%s", name);
	for (; strchr(name, '/') == NULL && at != NULL; at = end + 1) {
		end = strchrnul(at, ':');
		snprintf(path, n, "%.*s/%s", (int)(end - at), at, name);
		if (access(path, X_OK) == 0 || *end == '\0')
			break;
	}
}

static const char *
why_never(const char *program)
{
	const char *off = getenv("ORRERY");
	char path[PATH_MAX];
	bool elf, set_id, has;

	run_program_path(program, path, sizeof(path));
	has = has_libprobe(path, &elf, &set_id);
	if (off != NULL && strcmp(off, "off") == 0)
		return ("ORRERY=off is set");
	if (set_id)
		return ("it is set-user-ID or set-group-ID, and such programs "
			"are not observed");
	if (elf && !has)
		return ("it is not linked with libprobe; compile with "
			"`pkg-config --cflags --libs probe'");
	return (NULL);
}

/* Nobody has asked for its functions. */
static bool
is_python(const char *program)
{
	const char *slash = strrchr(program, '/');

	return (getenv("ORRERY_PYTHON") == NULL &&
		strncmp(slash != NULL ? slash + 1 : program, "python", 6) == 0);
}

/* came: the collector has served it, but no thread has made an event. */
static void
say_why(const struct run_before *b, pid_t pid, const char *program, bool came)
{
	const struct timespec nap = { .tv_nsec = REFUSED_MS * 1000000 };
	const char *never = came ? NULL : why_never(program);
	char why[512] = "";

	/* it may still be on its way to monitord */
	for (int i = 0; never == NULL && *why == '\0' && i < REFUSED_LOOKS;
	     i++) {
		nanosleep(&nap, NULL);
		why_refused(b, pid, why, sizeof(why));
	}
	if (never != NULL)
		snprintf(why, sizeof(why), "%s", never);
	else if (*why != '\0')
		;
	else if (came)
		snprintf(why, sizeof(why),
		    "it has made no events: that it ran and how it ended is "
		    "all that the log has of it%s",
		    is_python(program) ? "; `run --python' tells of functions"
				       : "");
	else
		snprintf(why, sizeof(why),
		    "it never came to the collector; with ORRERY_DEBUG=1 "
		    "libprobe tells what it does");
	log_warnx("%s: nothing was recorded: %s", program, why);
}

/* --- what --- */

static void
say_lost(const struct seen *s)
{
	if (s->lost > 0)
		log_warnx("%" PRIu64 " of %" PRIu64 " events are lost: there "
			  "was no room for them; `run --full wait', a larger "
			  "`ring' or fewer classes (`mask') in the cluster "
			  "file keep them",
		    s->lost, s->published);
}

static void
say_seen(const struct all_seen *all, const char *node, const char *file)
{
	const struct seen *o = &all->own, *others = &all->others;
	char also[128] = "";

	if (others->processes > 0)
		snprintf(also, sizeof(also),
		    "; other processes that began meanwhile: %u, with %" PRIu64
		    " events",
		    others->processes, others->published);
	if (o->threads == 0)
		log_warnx("%s itself %s%s (node %s)", file,
		    o->processes > 0 ? "has made no events"
				     : "was not recorded",
		    also, node);
	else
		log_warnx("%s: %" PRIu64 " events of %u %s, %" PRIu64
			  " lost%s%s (node %s)%s",
		    file, o->published, o->threads,
		    o->threads == 1 ? "thread" : "threads", o->lost,
		    all->drained ? "" : ", so far", also, node,
		    is_python(file) ? "; `run --python' tells of functions"
				    : "");
	say_lost(&(struct seen){ .published = o->published + others->published,
	    .lost = o->lost + others->lost });
}

void
run_seen_after(const struct run_before *b, pid_t pid, const char *file)
{
	const struct timespec nap = { .tv_nsec = LOOK_MS * 1000000 };
	struct all_seen all;

	for (int ms = 0; ms < DRAINED_MS; ms += LOOK_MS) {
		if (look(b, pid, &all) == -1) {
			log_warnx("%s: what was recorded of it is not known: "
				  "the collector of node %s has gone",
			    file, b->node);
			return;
		}
		if (all.drained)
			break;
		nanosleep(&nap, NULL);
	}
	if (all.own.threads + all.others.processes > 0)
		say_seen(&all, b->node, file);
	else
		say_why(b, pid, file, all.own.processes > 0);
}
