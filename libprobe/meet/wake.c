/*
 * Finding the wake page (wake.h), or making it.
 */
#include "wake.h"

#include <stdbool.h>

#include "libprobe/meet/place.h"

/* A machine with more segments is not ours to search at every start. */
#define LOOK_AT_MAX 256

/* The kernel has a number of segments for all users: half is for others. */
static bool
is_room(void)
{
	struct shminfo limits;
	struct shm_info now;

	return (shmctl(0, IPC_INFO, (struct shmid_ds *)(void *)&limits) != -1 &&
		shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&now) != -1 &&
		(unsigned long)now.used_ids < limits.shmmni / 2);
}

static struct wake_page *
make(const struct stat *dir)
{
	struct wake_page *page;
	int id;

	if (!is_room())
		return (NULL);
	id = shmget(IPC_PRIVATE, WAKE_BYTES, IPC_CREAT | 0600);
	if (id == -1)
		return (NULL);
	page = shmat(id, NULL, 0);
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): as the manual says */
	if (page == (void *)-1)
		page = NULL;
	if (page != NULL) {
		page->device = dir->st_dev;
		page->inode = dir->st_ino;
		page->magic = WAKE_MAGIC;
	}
	/* who looks for it does not see it before this */
	shmctl(id, IPC_RMID, NULL);
	return (page);
}

struct wake_page *
wake_find(void)
{
	struct wake_page *page = NULL;
	struct stat dir;
	int last = wake_last();

	if (last == -1 || last > LOOK_AT_MAX || !place_stat(&dir))
		return (NULL);
	for (int i = 0; page == NULL && i <= last; i++)
		page = wake_at(i, &dir);
	return (page == NULL ? make(&dir) : page);
}
