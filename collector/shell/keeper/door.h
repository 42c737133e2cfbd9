/* Unix sockets of a node's directory: the attach port and the keeper's. */
#ifndef COLLECTOR_DOOR_H
#define COLLECTOR_DOOR_H

/*
 * Listens at path (0600); a socket that nobody serves is replaced.  Exits
 * when somebody does for a second, or when it cannot be.
 */
int door_listen(const char *path, int type);

/*
 * Connects to a keeper.  -1: there is none, nor a worker whose attach port
 * still answers (which is about to start one, and waited for).
 */
int door_knock(const char *keeper, const char *attach);

/* A connection by this user or root, or -1. */
int door_accept(int listen_fd);

#endif
