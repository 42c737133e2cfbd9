/* Two threads for what a user waits for.  UI thread only. */
#ifndef VIEWER_BOTH_H
#define VIEWER_BOTH_H

/*
 * Runs job(arg, 0), and job(arg, 1) in another thread at the same time if
 * there is another processor and its thread comes before the first has ended.
 * Returns when both have ended.  They share the work out by a counter in arg,
 * so that one alone does all of it.  Costs some 10 us.
 */
void both(void (*job)(void *arg, int who), void *arg);

#endif
