/* The next definition of a name behind this library; dlsym(RTLD_NEXT). */
#ifndef LIBPROBE_AUTO_NEXT_H
#define LIBPROBE_AUTO_NEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NEXT_LIBRARIES 16

/* Libraries behind us, as they are now.  On the stack, for one search. */
struct next {
	uint32_t n;
	struct next_library {
		uintptr_t base;
		const uint32_t *hash; /* DT_GNU_HASH */
		const void *symbols;
		const char *strings;
		const uint16_t *versions; /* NULL: it has none */
	} library[NEXT_LIBRARIES];
};

/* The program has a sanitizer, which looks after all memory. */
bool next_is_sanitized(void);
void next_open(struct next *);
/* NULL if there is none; may be called by any thread, and in handlers. */
void *next_find(const struct next *, const char *name);

#endif
