/*
 * The viewer's end of a plug-in's process: started, asked, watched, ended.
 * Whatever it does, it costs its view a sentence.
 */
#ifndef VIEWER_PLUGIN_PROCESS_H
#define VIEWER_PLUGIN_PROCESS_H

#include <sys/types.h>

#include <limits.h>

#include "plugin/picture.h"

/* Between pictures of what grows. */
#define PLUG_AGAIN_NS ((int64_t)100000000)

enum plug_state {
	PLUG_NOT_BEGUN,
	PLUG_OPENING, /* the log; it will say so */
	PLUG_IDLE,
	PLUG_ASKED,
	PLUG_OVER /* why says why */
};

struct plug_process {
	enum plug_state state;
	char path[PATH_MAX], log[PATH_MAX];
	pid_t pid;
	int fd; /* readable when an answer comes */
	uint32_t seq;
	struct plug_ask ask;      /* the last one, or the one it is asked */
	int64_t asked_ns, cpu_ns; /* when, and what it had used by then */
	int64_t cpu_seen_ns, moved_ns; /* what at last, and since when */
	int64_t again_ns;       /* when it should be asked again, if at all */
	struct plug_reply head; /* of the answer that comes */
	size_t got;             /* bytes of head and body */
	char *body;
	struct plug_picture picture;
	bool drawn; /* there is a picture, of ask */
	bool news;  /* set when something is to be drawn; never reset here */
	char why[PLUG_WHY + 64];
};

/* Starts it, for its path and this log. */
void plug_begin(struct plug_process *, const char *log);
/* In the state IDLE: asks for a picture, and says its word. */
void plug_ask(struct plug_process *, const struct plug_ask *);
void plug_receive(struct plug_process *); /* takes what has come of an answer */
void plug_watch(struct plug_process *);   /* ends one that hangs */
void plug_over(struct plug_process *, const char *why); /* ends it */
void plug_reap(struct plug_process *);                  /* and no more */
bool plug_waits(const struct plug_process *); /* something has to come */

#endif
