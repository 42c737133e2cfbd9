/* Filters of system calls, which end a process for a call that it lacks. */
#ifndef LIBPROBE_SANDBOX_H
#define LIBPROBE_SANDBOX_H

#include <stdbool.h>

void sandbox_start(void); /* once, before main */
/* It came with a filter, of a container say: whose, and for what? */
bool sandbox_inherited(void);
/* This thread has another filter than the process came with. */
bool sandbox_closed(void);

#endif
