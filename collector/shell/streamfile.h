/* The table of streams (proto/streamtable.h) in the runtime directory. */
#ifndef COLLECTOR_STREAMFILE_H
#define COLLECTOR_STREAMFILE_H

/*
 * Sees to it that there is one, of this boot.  Others may do so at a time.
 * Without it messages through connections and pipes are not told of; why it
 * could not be made is said.
 */
void streamfile_make(const char *runtime_dir);

#endif
