/* How much memory a process may have: its control group's (cgroups(7)). */
#ifndef COLLECTOR_MEMLIMIT_H
#define COLLECTOR_MEMLIMIT_H

#include <stdint.h>

#define MEMLIMIT_GROUP 256

/*
 * Bytes; of all limits on the way up from its group, and the machine's memory,
 * the least.  In group[] the name of the group that has it, "" when that is the
 * machine: all processes of a group share it.  About 40 us.
 */
uint64_t memlimit_of(uint32_t pid, char group[MEMLIMIT_GROUP]);

/*
 * The same, for what /proc/PID/cgroup says and with groups below this
 * directory; UINT64_MAX: there is no limit, or nothing to be seen of it, as in
 * a container that shows other groups than it is in.
 */
uint64_t memlimit_under(const char *directory, const char *cgroup_text,
    char group[MEMLIMIT_GROUP]);

#endif
