/*
 * Tables of which a process touches little or nothing, apart from the few words
 * that each of them touches at its start, after a fork and at its end: a page
 * that is written costs a fault, and a copy in a child.
 */
#ifndef LIBPROBE_MEET_BULK_H
#define LIBPROBE_MEET_BULK_H

/* libprobe/auto/bulk.ld puts them behind everything else */
#define BULK __attribute__((section(".bss.bulk")))

#endif
