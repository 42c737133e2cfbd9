/*
 * Plug-ins: each has a process of its own (plugin/host), which is started when
 * its view is first wanted, asked for pictures, and ended when it crashes,
 * hangs or answers nonsense; then its view says so.
 */
#ifndef VIEWER_PLUGINS_H
#define VIEWER_PLUGINS_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "plugin/picture.h"

struct app;
struct plugins;

/* Of this program.  NULL: out of memory. */
struct plugins *plugins_new(struct app *);
void plugins_free(struct plugins *); /* NULL is fine */
/*
 * A view for a shared object, as plugged_spec_read() has it, or that one anew,
 * perhaps with other words; -1: why not.  "NAME" of one that is there: it
 * begins anew.
 */
int plugins_add(struct plugins *, const char *spec, char *why, size_t n);
/* Takes what has been answered. */
void plugins_poll(struct plugins *);
/* What to wait for; at most PLUGINS_MAX, and at most so many ns, INT64_MAX. */
nfds_t plugins_fds(const struct plugins *, struct pollfd *);
int64_t plugins_due_ns(const struct plugins *, int64_t now_ns);
/* Pictures that are not what they will be. */
bool plugins_busy(const struct plugins *);
/* From now on, or not, a drawing waits for the right picture. */
void plugins_patient(struct plugins *, bool);

#endif
