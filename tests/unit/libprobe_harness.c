/*
 * The collector of the tests; see the header.
 */
#include "libprobe_harness.h"

#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "frame.h"
#include "wake.h"

static char base[64];

static void
remove_base(void)
{
	char command[128];

	snprintf(command, sizeof(command), "rm -rf '%s'", base);
	if (system(command) != 0)
		perror(command);
}

void
hub_setup(char **argv)
{
	const char *dir = getenv("ORRERY_TEST_DIR");
	char self[256];
	ssize_t n;

	if (dir == NULL) {
		strcpy(base, "/tmp/orr-hub-XXXXXX");
		if (mkdtemp(base) == NULL)
			abort();
		setenv("ORRERY_TEST_DIR", base, 1);
		setenv("ORRERY_DIR", base, 1);
		unsetenv("ORRERY_NODE");
		unsetenv("ORRERY");
		/* by its name, which becomes that of the thread */
		n = readlink("/proc/self/exe", self, sizeof(self) - 1);
		if (n <= 0)
			abort();
		self[n] = '\0';
		execv(self, argv);
		abort();
	}
	snprintf(base, sizeof(base), "%s", dir);
	atexit(remove_base);
}

static void
fault(struct hub *h, const char *what)
{
	h->faults++;
	snprintf(h->fault, sizeof(h->fault), "%s", what);
}

static void
stream_add(struct hub_stream *s, const struct ring_record *r)
{
	if (s->n == s->cap) {
		s->cap = s->cap == 0 ? 1024 : s->cap * 2;
		s->records = realloc(s->records, s->cap * sizeof(*r));
	}
	s->records[s->n++] = *r;
}

static struct ring *
ring_of(const struct hub_po *p, uint32_t i)
{
	return (ring_at(p->segment, p->segment->rings_offset, i));
}

static const struct ring_record *
record_at(const struct hub_po *p, uint32_t i, uint64_t at)
{
	const struct ring_segment *s = p->segment;
	uint64_t n;

	at = ring_find(ring_of(p, i), s->ring_first, s->generations, at, &n);
	return ((const struct ring_record *)(const void *)((const char *)s +
							   s->records_offset +
							   s->ring_bytes * i) +
		at);
}

/* What a collector would do at least: copy it out of the ring. */
static void
discard(const struct hub_po *p, uint32_t i, struct hub_stream *s, uint64_t from,
    uint64_t to)
{
	static struct ring_record copy[4096];

	for (; from < to; from++, s->n++)
		copy[from % 4096] = *record_at(p, i, from);
	__asm__ volatile("" : : "r"(copy) : "memory");
}

static void
stream_open(struct hub_po *p, uint32_t i, struct ring *r)
{
	struct hub_stream *s = calloc(1, sizeof(*s));

	s->thread = atomic_load(&r->thread);
	s->tid = atomic_load(&r->tid);
	memcpy(s->name, r->name, RING_NAME_BYTES);
	p->streams =
	    realloc(p->streams, (p->nstreams + 1) * sizeof(*p->streams));
	p->streams[p->nstreams++] = s;
	p->of_ring[i] = s;
	p->taken[i] = 0;
}

static void
sweep_ring(struct hub *h, struct hub_po *p, uint32_t i)
{
	struct ring *r = ring_of(p, i);
	uint32_t state = atomic_load_explicit(&r->state, memory_order_acquire);
	struct hub_stream *s;
	uint64_t head;

	if (state != RING_LIVE && state != RING_CLOSED)
		return;
	if (p->of_ring[i] == NULL)
		stream_open(p, i, r);
	s = p->of_ring[i];
	head = atomic_load_explicit(&r->head, memory_order_acquire);
	if (head < p->taken[i] ||
	    head - p->taken[i] >
		ring_before(p->segment->ring_first, p->segment->generations)) {
		fault(h, "head makes no sense");
		return;
	}
	if (h->o.discard) {
		discard(p, i, s, p->taken[i], head);
		p->taken[i] = head;
	}
	for (; p->taken[i] < head; p->taken[i]++) {
		struct ring_record rec = *record_at(p, i, p->taken[i]);

		if (s->n > 0 && rec.t_cycles < s->records[s->n - 1].t_cycles)
			fault(h, "time goes back");
		stream_add(s, &rec);
	}
	s->lost_total = atomic_load(&r->lost_total);
	s->lost_records = atomic_load(&r->lost_records);
	atomic_store_explicit(&r->tail, head, memory_order_release);
	if (state == RING_CLOSED) {
		s->closed = true;
		p->of_ring[i] = NULL;
		for (int g = 1; g < (int)RING_GENERATIONS; g++)
			atomic_store(&r->start[g], 0);
		atomic_store(&r->head, 0);
		atomic_store(&r->tail, 0);
		atomic_store(&r->thread, 0);
		atomic_store_explicit(&r->state, RING_FREE,
		    memory_order_release);
	}
}

static void
sweep(struct hub *h)
{
	for (size_t i = 0; i < h->npos; i++) {
		uint32_t used = atomic_load(&h->pos[i]->segment->rings_used);

		for (uint32_t k = 0; k < used && k < h->o.nrings; k++)
			sweep_ring(h, h->pos[i], k);
	}
}

void
hub_sweep(struct hub *h)
{
	pthread_mutex_lock(&h->lock);
	sweep(h);
	pthread_mutex_unlock(&h->lock);
}

static int
segment_make(struct hub *h, struct hub_po *p)
{
	uint64_t names, records, ring_bytes;
	uint32_t first = h->o.ring_records >> 2 * h->o.grows;
	struct ring_segment *s;
	int fd;

	names =
	    (4096 + h->o.nrings * sizeof(struct ring) + 4095) & ~UINT64_C(4095);
	records = names + ((h->o.names_bytes + 4095u) & ~4095u);
	ring_bytes =
	    (ring_before(first, h->o.grows + 1) * sizeof(struct ring_record) +
		4095) &
	    ~UINT64_C(4095);
	p->bytes = records + ring_bytes * h->o.nrings;
	fd = memfd_create("hub", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (fd == -1 || ftruncate(fd, (off_t)p->bytes) == -1 ||
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == -1)
		abort();
	s = mmap(NULL, p->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (s == MAP_FAILED)
		abort();
	s->magic = RING_MAGIC;
	s->layout = RING_LAYOUT;
	s->segment_bytes = p->bytes;
	s->node = HUB_NODE;
	s->po = p->po;
	s->nrings = h->o.nrings;
	s->ring_first = first;
	s->generations = h->o.grows + 1;
	s->rings_offset = 4096;
	s->records_offset = records;
	s->ring_bytes = ring_bytes;
	s->names_offset = names;
	s->names_bytes = h->o.names_bytes;
	s->reserve_records = h->o.reserve;
	s->mask = h->o.mask;
	s->wait_ms = h->o.wait_ms;
	s->growth.may = h->o.may_grow;
	p->segment = s;
	p->of_ring = calloc(h->o.nrings, sizeof(*p->of_ring));
	p->taken = calloc(h->o.nrings, sizeof(*p->taken));
	return (fd);
}

static void
answer(struct hub *h, int fd, const struct hub_po *p, int segment)
{
	struct msg_attached m = { .node = HUB_NODE,
		.po = p->po,
		.node_name = BYTES_STR(strrchr(h->dir, '/') + 1),
		.t_node_ns = p->t_node_ns,
		.names = p->segment->names_before };
	size_t n;
	uint8_t *frame = frame_message(MSG_attached, &m, &n);
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr align;
	} control = { { 0 } };
	struct iovec iov = { frame, n };
	struct msghdr mh = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&mh);

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &segment, sizeof(int));
	if (sendmsg(fd, &mh, MSG_NOSIGNAL) != (ssize_t)n)
		perror("hub");
	free(frame);
}

static const struct ring_name *
name_at(const struct hub_po *p, uint64_t at)
{
	return ((const void *)((const char *)p->segment +
			       p->segment->names_offset + at));
}

static uint64_t
name_bytes(const struct hub_po *p, uint64_t at)
{
	const struct ring_name *e = name_at(p, at);

	return ((sizeof(*e) + e->text_bytes + e->file_bytes + 3u) & ~3u);
}

/* How many of a PO's names have been told, here or elsewhere. */
static uint32_t
names_of(const struct hub_po *p)
{
	uint64_t at = 0, used = atomic_load(&p->segment->names_used);
	uint32_t n = p->segment->names_before;

	for (; at < used; n++)
		at += name_bytes(p, at);
	return (n);
}

static uint32_t
inherited(const struct hub *h, const struct msg_attach *m)
{
	for (size_t i = 0; h->o.inherit && i < h->npos; i++) {
		const struct hub_po *p = h->pos[i];
		uint32_t n;

		if (p->po != m->names_po || p->t_node_ns != m->names_t_node_ns)
			continue;
		n = names_of(p);
		return (n < m->names ? n : m->names);
	}
	return (0);
}

static void
take_text(char *to, size_t n, const struct bytes *b)
{
	snprintf(to, n, "%.*s", (int)b->n, (const char *)b->p);
}

static void
serve(struct hub *h, int fd)
{
	uint8_t buf[4096];
	size_t have = 0;
	struct frame f;
	struct msg_unheard last;
	struct msg_attach m;
	struct ucred peer;
	socklen_t n = sizeof(peer);
	struct timespec now;
	struct hub_po *p;
	char path[128];
	int segment;

	for (;;) {
		ssize_t got = read(fd, buf + have, sizeof(buf) - have);

		if (got <= 0)
			return; /* somebody only asks whether we are here */
		have += (size_t)got;
		if (frame_parse(buf, have, &f) != FRAME_SHORT)
			break;
	}
	if (frame_parse(buf, have, &f) == FRAME_OK && f.type == MSG_unheard) {
		if (msg_decode(MSG_unheard, f.body, f.body_bytes, &last) == -1)
			fault(h, "a damaged last word");
		h->unheard += last.unrecorded;
		return;
	}
	if (frame_parse(buf, have, &f) != FRAME_OK || f.type != MSG_attach ||
	    msg_decode(MSG_attach, f.body, f.body_bytes, &m) == -1) {
		fault(h, "no attach");
		return;
	}
	hub_socket(h, path, sizeof(path));
	utimensat(AT_FDCWD, path, NULL, 0);
	if (recv(fd, buf, 1, MSG_PEEK | MSG_DONTWAIT) == 0)
		return; /* it has not waited */
	p = calloc(1, sizeof(*p));
	p->po = (uint32_t)h->npos + 1;
	p->parent_po = m.parent_po;
	p->clock = m.clock;
	take_text(p->program, sizeof(p->program), &m.program);
	take_text(p->command, sizeof(p->command), &m.command);
	getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &n);
	p->pid = peer.pid;
	segment = segment_make(h, p);
	clock_gettime(CLOCK_MONOTONIC, &now);
	p->t_node_ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
	p->segment->names_before = inherited(h, &m);
	h->pos[h->npos++] = p;
	answer(h, fd, p, segment);
	close(segment);
}

static void *
run(void *arg)
{
	struct hub *h = arg;
	struct pollfd p = { .fd = h->listener, .events = POLLIN };
	sigset_t all;

	/* handlers belong to the program */
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	while (!__atomic_load_n(&h->stop, __ATOMIC_ACQUIRE)) {
		int fd = -1;

		if (h->o.sweep_us != 0)
			usleep(h->o.sweep_us);
		if (poll(&p, 1, h->o.sweep_us == 0) == 1 &&
		    !__atomic_load_n(&h->deaf, __ATOMIC_ACQUIRE))
			fd = accept4(h->listener, NULL, NULL, SOCK_CLOEXEC);
		pthread_mutex_lock(&h->lock);
		if (fd != -1) {
			serve(h, fd);
			close(fd);
		}
		if (!h->hold)
			sweep(h);
		pthread_mutex_unlock(&h->lock);
	}
	return (NULL);
}

/* What the keeper of a collector does. */
static void
wake(uint32_t mask)
{
	struct stat dir;

	if (stat(base, &dir) == -1)
		abort();
	wake_set(&dir, mask);
}

uint32_t
hub_wake_mask(void)
{
	struct wake_page *page = NULL;
	struct stat dir;
	uint32_t mask = 0;
	int last = wake_last();

	if (stat(base, &dir) == -1)
		abort();
	for (int i = 0; i <= last; i++) {
		page = wake_at(i, &dir);
		if (page == NULL)
			continue;
		mask |= atomic_load(&page->mask);
		shmdt(page);
	}
	return (mask);
}

struct hub *
hub_open(const char *node, const struct hub_options *o)
{
	struct hub *h = calloc(1, sizeof(*h));
	struct sockaddr_un sun = { .sun_family = AF_UNIX };

	if (o != NULL)
		h->o = *o;
	h->o.nrings = h->o.nrings ? h->o.nrings : 64;
	h->o.ring_records = h->o.ring_records ? h->o.ring_records : 4096;
	h->o.reserve = h->o.reserve ? h->o.reserve : 256;
	h->o.mask = h->o.mask ? h->o.mask : (1u << EVENT_CLASSES) - 1;
	h->o.names_bytes = h->o.names_bytes ? h->o.names_bytes : 65536;
	h->hold = h->o.hold;
	h->deaf = h->o.deaf;
	pthread_mutex_init(&h->lock, NULL);
	snprintf(h->dir, sizeof(h->dir), "%s/%s", base, node);
	mkdir(h->dir, 0700);
	snprintf(sun.sun_path, sizeof(sun.sun_path), "%.90s/collector.sock",
	    h->dir);
	unlink(sun.sun_path);
	h->listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (bind(h->listener, (struct sockaddr *)&sun, sizeof(sun)) == -1 ||
	    listen(h->listener, 64) == -1)
		abort();
	if (pthread_create(&h->thread, NULL, run, h) != 0)
		abort();
	wake(~0u);
	return (h);
}

void
hub_socket(const struct hub *h, char *path, size_t n)
{
	snprintf(path, n, "%s/collector.sock", h->dir);
}

void
hub_hear(struct hub *h)
{
	__atomic_store_n(&h->deaf, false, __ATOMIC_RELEASE);
}

void
hub_drain(struct hub *h, bool drain)
{
	pthread_mutex_lock(&h->lock);
	h->hold = !drain;
	pthread_mutex_unlock(&h->lock);
}

static void
po_free(struct hub_po *p)
{
	for (size_t i = 0; i < p->nstreams; i++) {
		free(p->streams[i]->records);
		free(p->streams[i]);
	}
	munmap(p->segment, p->bytes);
	free(p->streams);
	free(p->of_ring);
	free(p->taken);
	free(p);
}

void
hub_close(struct hub *h, bool gone)
{
	char path[128];

	__atomic_store_n(&h->stop, 1, __ATOMIC_RELEASE);
	pthread_join(h->thread, NULL);
	close(h->listener);
	snprintf(path, sizeof(path), "%s/collector.sock", h->dir);
	unlink(path);
	wake(0);
	for (size_t i = 0; i < h->npos; i++) {
		if (gone) {
			atomic_store(&h->pos[i]->segment->gone, 1);
			atomic_store(&h->pos[i]->segment->mask, ~0u);
		}
		po_free(h->pos[i]);
	}
	free(h);
}

const char *
hub_name(const struct hub_po *p, uint32_t n)
{
	static char text[5000];
	uint64_t used = atomic_load(&p->segment->names_used);
	uint64_t at = 0;

	for (uint32_t i = p->segment->names_before + 1; at < used; i++) {
		const struct ring_name *e = name_at(p, at);

		if (i == n) {
			snprintf(text, sizeof(text), "%.*s", (int)e->text_bytes,
			    (const char *)(e + 1));
			return (text);
		}
		at += name_bytes(p, at);
	}
	return (NULL);
}
