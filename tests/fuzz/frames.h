/*
 * Logs as fuzz inputs: mutated frame by frame, so that what comes out has the
 * right checksums and gets past the frames.  A frame of type FRAMES_SCRIPT,
 * which no reader knows, carries bytes for whoever acts on the log.
 */
#ifndef TESTS_FUZZ_FRAMES_H
#define TESTS_FUZZ_FRAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "frame.h"

#define FRAMES_SCRIPT 100

/* For LLVMFuzzerCustomMutator: the new length, at most max. */
size_t frames_mutate(uint8_t *data, size_t n, size_t max, unsigned seed);

/* Takes bytes off the front, zeros when there are no more. */
struct script {
	const uint8_t *p, *end;
};
/*
 * The first script of the log; empty when there is none, as in logs of others:
 * then all is asked.  What is made by mutation has one, and is asked what it
 * says, so that a run is short.
 */
struct script frames_script(const uint8_t *data, size_t n);
uint8_t script_byte(struct script *);
bool script_over(const struct script *);
/* Below n, or 0. */
unsigned script_below(struct script *, unsigned n);
/* Small ones, powers of two, and the ends of 64 bits. */
int64_t script_number(struct script *);

#endif
