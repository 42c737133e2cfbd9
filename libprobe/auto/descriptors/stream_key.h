/*
 * What the kernel knows of a stream: by what both of its ends know it, and
 * where it stands.  Each asks the kernel; 0 or false: that cannot be known.
 */
#ifndef LIBPROBE_AUTO_STREAM_KEY_H
#define LIBPROBE_AUTO_STREAM_KEY_H

#include <stdbool.h>
#include <stdint.h>

/* It is not connected yet, at both ends. */
#define STREAM_KEY_LATER UINT64_C(2)

/* Odd, but for these two.  writes: this end writes there.  other_way: set to
 * the key of the bytes that go there, unless it is one of these two. */
uint64_t stream_key_pipe(int fd);
uint64_t stream_key_internet(int fd, bool writes, uint64_t *other_way);
uint64_t stream_key_unix(int fd, bool writes);

/* Of TCP: its ends have two addresses, and may be on two machines. */
static inline bool
stream_key_is_apart(uint64_t key)
{
	return ((key & 3) == 3);
}

/*
 * The number of the message that ends behind so many bytes of such a stream:
 * the same on both machines, which share no table.
 */
uint64_t stream_key_message(uint64_t key, uint64_t end);

/* Of TCP: which connection of those that had the same addresses. */
uint64_t stream_key_cookie(int fd);
/* Of TCP: bytes that the program has written, or has read. */
bool stream_key_position(int fd, bool writes, uint64_t *at);

#endif
