/*
 * libprobe twice in a process: libprobe-auto.so has been loaded before the
 * program, which then opens libprobe.so by its path (Python's ctypes, say). The
 * loader takes a library's own references to what it exports from the first one
 * that exports it, and so the second library's events go where those of the
 * first go.  But what the program looks up in the second library is the second
 * one's; each function that does more than make an event hands the call on.
 */
#ifndef LIBPROBE_FIRST_H
#define LIBPROBE_FIRST_H

#include <stdbool.h>

#include "probe.h"

/* Those functions, each as that of the library which was loaded first. */
struct probe_first {
	uint32_t (*name_at)(const char *, const char *, uint32_t);
	uint64_t (*id)(void), (*message_id)(void);
	int (*attached)(void);
	uint32_t (*po)(void), (*node)(void);
	const char *(*node_name)(void);
	void (*thread_name)(const char *);
	void (*thread_begin)(uint64_t, uint32_t);
	void (*mute)(uint32_t classes, bool more);
	void (*stop)(bool stops);
	int (*flush)(uint32_t);
	uint32_t (*declare)(const char *);
};
extern const struct probe_first probe_first PROBE_API;
/* The same object under a name that no other library takes the place of. */
extern const struct probe_first first_own __attribute__((visibility("hidden")));

/* This is the second one: it stays inert and hands on what it is asked. */
static inline bool
is_second(void)
{
	return (&probe_first != &first_own);
}

#endif
