/*
 * Who is at the other end of a Unix socket: what the kernel says, at both
 * ends.  We talk to our own user and to root, whatever the modes of files are.
 */
#ifndef COMMON_OWNER_H
#define COMMON_OWNER_H

#include <stdbool.h>

/*
 * Of a connected socket; one that is no Unix socket is nobody's.  When false,
 * errno is EPERM and *uid the user at the other end (-1: the kernel does not
 * say), unless uid is NULL.
 */
bool owner_is_trusted(int fd, unsigned *uid);

#endif
