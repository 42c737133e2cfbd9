/* Little-endian numbers at any address; compilers make one instruction of it.
 */
#ifndef PROTO_WIRE_H
#define PROTO_WIRE_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

static inline void
put_u16(void *p, uint16_t v)
{
	v = htole16(v);
	memcpy(p, &v, sizeof(v));
}

static inline void
put_u32(void *p, uint32_t v)
{
	v = htole32(v);
	memcpy(p, &v, sizeof(v));
}

static inline void
put_u64(void *p, uint64_t v)
{
	v = htole64(v);
	memcpy(p, &v, sizeof(v));
}

static inline uint16_t
get_u16(const void *p)
{
	uint16_t v;

	memcpy(&v, p, sizeof(v));
	return (le16toh(v));
}

static inline uint32_t
get_u32(const void *p)
{
	uint32_t v;

	memcpy(&v, p, sizeof(v));
	return (le32toh(v));
}

static inline uint64_t
get_u64(const void *p)
{
	uint64_t v;

	memcpy(&v, p, sizeof(v));
	return (le64toh(v));
}

#endif
