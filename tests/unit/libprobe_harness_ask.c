/*
 * What tests ask of their collector: for a process, once it is there, and how
 * much was told.
 */
#include "libprobe_harness.h"

#include <time.h>

static struct hub_po *
look(struct hub *h, size_t n, int pid)
{
	struct hub_po *p = NULL;

	for (int ms = 0; p == NULL && ms < 10000; ms++) {
		pthread_mutex_lock(&h->lock);
		if (pid == 0 && n < h->npos)
			p = h->pos[n];
		for (size_t i = 0; pid != 0 && i < h->npos; i++) {
			if (h->pos[i]->pid == pid)
				p = h->pos[i];
		}
		pthread_mutex_unlock(&h->lock);
		if (p == NULL)
			nanosleep(&(struct timespec){ .tv_nsec = 1000000 },
			    NULL);
	}
	if (p != NULL && !h->o.hold)
		hub_sweep(h);
	hub_drain(h, false);
	return (p);
}

uint64_t
hub_unheard(struct hub *h)
{
	uint64_t n;

	pthread_mutex_lock(&h->lock);
	n = h->unheard;
	pthread_mutex_unlock(&h->lock);
	return (n);
}

size_t
hub_npos(struct hub *h)
{
	size_t n;

	pthread_mutex_lock(&h->lock);
	n = h->npos;
	pthread_mutex_unlock(&h->lock);
	return (n);
}

struct hub_po *
hub_wait_po(struct hub *h, size_t n)
{
	return (look(h, n, 0));
}

struct hub_po *
hub_po_of_pid(struct hub *h, int pid)
{
	return (look(h, 0, pid));
}

uint64_t
hub_count(const struct hub_stream *s, unsigned kind)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->records[i].kind == kind;
	return (n);
}

uint64_t
hub_stored(const struct hub_stream *s)
{
	return (s->n - hub_count(s, EV_lost));
}

uint64_t
hub_told_lost(const struct hub_stream *s)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->n; i++)
		n += s->records[i].kind == EV_lost ? s->records[i].a : 0;
	return (n);
}
