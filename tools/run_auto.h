/*
 * monitorctl run --auto: a program that knows nothing of Orrery is run with
 * libprobe-auto.so before it.
 */
#ifndef TOOLS_RUN_AUTO_H
#define TOOLS_RUN_AUTO_H

/*
 * Sets the environment for that.  What cannot be seen of this program, which is
 * looked up as execvp(3) does, is said on stderr in a sentence; it runs all the
 * same.
 */
void run_auto(const char *program);

#endif
