/* Where the collectors of this machine are, and whether they answer. */
#ifndef LIBPROBE_PLACE_H
#define LIBPROBE_PLACE_H

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <stdbool.h>

#include "hail.h"

struct wake_page;

/* A collector's socket. */
struct place {
	struct sockaddr_un address;
	struct stat socket;
};

/* Reads the environment; once, before the others.  false: no place at all. */
bool place_start(void);

/*
 * Goes through the places where a collector may be: the wanted node's, or, if
 * none is or any will do, all in the order of their names.  node is "" at
 * first, and kept from call to call.  false: no more.
 */
bool place_next(char node[HAIL_NODE_MAX], bool any, struct place *);

/*
 * Somebody has waited for this collector in vain, and it has not served
 * anybody since.
 */
bool place_silent(const struct place *);
/* We have, all the time since place_next(). */
void place_set_silent(const struct place *);

const char *place_directory(void);
/* The runtime directory, if it is this user's. */
bool place_stat(struct stat *);

/* wake.c: the wake page, mapped for good; NULL if there can be none. */
struct wake_page *wake_find(void);

#endif
