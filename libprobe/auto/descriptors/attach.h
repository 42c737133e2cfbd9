/* A process attaches when it has something to say. */
#ifndef LIBPROBE_AUTO_ATTACH_H
#define LIBPROBE_AUTO_ATTACH_H

/* Attaches if that was put off: then this process has a number, and ids. */
void auto_attach(void);

#endif
