/* What ctf.c and ctf_words.c share. */
#ifndef TOOLS_EXPORT_CTF_INSIDE_H
#define TOOLS_EXPORT_CTF_INSIDE_H

#include <stdbool.h>

#include "intmap.h"
#include "log/beside.h"
#include "tools/export/export.h"
#include "tools/export/fields.h"

#define CTF_MAGIC      0xc1fc1fc1u
#define CTF_OWN        EVENT_KINDS
#define CTF_OWN_MAX    (UINT16_MAX - CTF_OWN)
#define CTF_PATH_BYTES (BESIDE_BYTES + 32)

struct ctf {
	const struct export_of *of;
	struct fields fields;
	struct out stream;
	int fd;
	uint8_t *packet;
	size_t n; /* of the packet, with its head */
	bool begun;
	int64_t base_mon_ns; /* of the first event: 0 there */
	int64_t first_mon_ns, last_mon_ns;
	uint64_t lost; /* records, so far */
	/* kinds that programs have declared: each is one more of its own, with
	 * the number CTF_OWN and its place here */
	struct own *own;
	struct intmap owned; /* by name: its place, from 1 */
	uint32_t *owned_name;
	size_t nowned, owned_cap;
};

/* A new file of the folder, for writing; -1 with errno. */
int ctf_file(const struct ctf *, const char *name);
/* The file that says in words what the others hold.  -1 with errno. */
int ctf_words(const struct ctf *);

#endif
