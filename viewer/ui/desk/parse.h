/* Times and numbers as users write them. */
#ifndef VIEWER_PARSE_H
#define VIEWER_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "12.4", "12.4s", "350ms", "20us", "7ns".  0, or -1: not a time. */
int parse_time(const char *, int64_t *ns);
/* Two times with ':' or '..' between, the second one later. */
int parse_range(const char *, int64_t *t0_ns, int64_t *t1_ns);
/* Is it UTF-8, and without control characters? */
bool parse_text_ok(const char *);
/* A key: a character or the name of one, with ctrl+ and the like before it. */
bool parse_key_ok(const char *);
/* Takes a word and the blanks around it; false: there is none, or no room. */
bool parse_word(const char **, char *buf, size_t n);
/* Decimal or 0x... */
int parse_number(const char *, uint64_t *);
/* "2G", "500M", "64000k", or "30%" of the memory that the machine has.  At
 * least 32 MB, unless a share is less. */
int parse_memory(const char *, uint64_t *bytes);
/* "1.25": from 1 to 8, in quarters; *scale_q: in sixteenths. */
int parse_scale(const char *, int *scale_q);
/* "1600x1000", each from 64 to 16384. */
int parse_size(const char *, int32_t *width, int32_t *height);

#endif
