/*
 * The wake page: how a process that has found no collector hears of one.
 *
 * It looks at a word at every event, so the word must be in memory that others
 * can write to, and that nobody can take away: a file is cut short by its
 * owner, or lies on a disk that is full, and the next look at it is SIGBUS.
 * The pages of a System V segment stay as long as they are mapped.  It is
 * marked for removal as soon as it is made, so that it goes with the last
 * process that has it; Linux lets others attach it all the same.  It has no
 * name: who wants it looks through the segments of the machine, of which
 * there are few, for one that is about the same runtime directory.
 *
 * Usually there is one.  Of two processes that start at a time, each may make
 * one; the collector writes to all that it finds.
 */
#ifndef PROTO_WAKE_H
#define PROTO_WAKE_H

#include <sys/shm.h>
#include <sys/stat.h>

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#define WAKE_BYTES 4096u
#define WAKE_MAGIC UINT64_C(0x31656b6177796f72)

/*
 * The collector sets mask to ~0 and adds one to generation when it starts to
 * listen, and clears mask when it stops.  A process whose attempt to attach
 * has failed clears mask again.
 */
struct wake_page {
	uint64_t magic;
	uint64_t device, inode; /* of the runtime directory */
	_Atomic uint32_t mask;
	_Atomic uint32_t generation;
};

/* Pages are at the indices 0 to this; -1: there is no such memory here. */
static inline int
wake_last(void)
{
	struct shm_info info;

	/* NOLINTNEXTLINE(bugprone-casting-through-void): as the manual says */
	return (shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&info));
}

/* The page at an index, mapped, if it is one of this user's about dir. */
static inline struct wake_page *
wake_at(int i, const struct stat *dir)
{
	struct wake_page *page;
	struct shmid_ds ds;
	int id = shmctl(i, SHM_STAT, &ds);

	/* whose it is can be changed; who has made it cannot */
	if (id == -1 || ds.shm_perm.cuid != geteuid() ||
	    ds.shm_segsz != WAKE_BYTES || (ds.shm_perm.mode & SHM_DEST) == 0)
		return (NULL);
	page = (struct wake_page *)shmat(id, NULL, 0);
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): as the manual says */
	if (page == (void *)-1)
		return (NULL);
	if (page->magic == WAKE_MAGIC && page->device == dir->st_dev &&
	    page->inode == dir->st_ino)
		return (page);
	shmdt(page);
	return (NULL);
}

/* In all pages about this directory; with a mask, a generation more. */
static inline void
wake_set(const struct stat *dir, uint32_t mask)
{
	int last = wake_last();

	for (int i = 0; i <= last; i++) {
		struct wake_page *page = wake_at(i, dir);

		if (page == NULL)
			continue;
		if (mask != 0)
			atomic_fetch_add(&page->generation, 1);
		atomic_store(&page->mask, mask);
		shmdt(page);
	}
}

#endif
