/*
 * Where things are when nobody says otherwise.
 *
 * The runtime directory is $ORRERY_DIR, else $XDG_RUNTIME_DIR/orrery, else
 * /tmp/orrery-UID.  It must be ours, 0700 and no link.  In it:
 *
 *	monitord.sock		monitord, for everybody
 *	NODE/collector.sock	attach and query port of a node's collector
 *	NODE/spool/		its spool
 *
 * A program finds its collector by $ORRERY_NODE, else the only, else the
 * first node by name that has a collector.sock.  libprobe has the same rules
 * (libprobe/meet/place.c), since it may not use this file.
 */
#ifndef COMMON_PATHS_H
#define COMMON_PATHS_H

#include <stddef.h>

/*
 * Makes the directory if need be.  NULL with errno set when it cannot be used,
 * and paths_problem() says why in a sentence; static storage, both.
 */
const char *paths_runtime_dir(void);
const char *paths_problem(void);
/* snprintf into buf; -1 with ENAMETOOLONG (sun_path holds 107 bytes). */
int paths_monitord(char *buf, size_t n);
int paths_collector(char *buf, size_t n, const char *node);
int paths_spool(char *buf, size_t n, const char *node);

#endif
