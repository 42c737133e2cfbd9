/* Functions that a compiler switch makes speak: -finstrument-functions. */
#ifndef LIBPROBE_HOOKS_H
#define LIBPROBE_HOOKS_H

/* The calling thread ends, or its process does: all that it is in is left. */
void hooks_end(void);
/* And gives back its memory. */
void hooks_free(void);
/* This is the only thread of a child. */
void hooks_forked(void);

#endif
