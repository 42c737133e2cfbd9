/*
 * proxy [-u] [-d MS] [-r BYTES] [-f WHAT] DISPLAY SERVER: stands between the
 * viewer and an X server.  It listens at 127.0.0.1 as display DISPLAY, with -u
 * as one of this machine, goes to the
 * server's socket in /tmp/.X11-unix, counts what the first client sends, holds
 * everything back by MS each way and lets no more than BYTES a second through.
 *
 *	-f shm-refused	every attempt to attach shared memory fails
 *	-f shm-foreign	the server attaches other memory than it was told
 *	-f no-pixmap	it has no memory for a large picture
 *
 * A line comes at SIGUSR1 and at the end:
 *
 *	raw= bytes to the server   zlib= after compression, as ssh -C does it
 *	requests=   replies= that the client has waited for   flushes= of it
 *	copy= bits= rects= points= other= bytes by what they ask for
 *
 * A second SIGUSR1 begins to count anew.  SIGUSR2 cuts the connection.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <zlib.h>

#define CLIENTS 16
#define CHUNK   65536
#define QUEUE   (2 * CHUNK) /* more: whoever sends must wait */

enum kind {
	K_COPY,
	K_BITS,
	K_RECTS,
	K_POINTS,
	K_OTHER,
	KINDS
};

struct chunk {
	struct chunk *next;
	int64_t due_ns;
	size_t n, sent;
	uint8_t p[];
};

/* One way of a connection. */
struct way {
	int from, to;
	struct chunk *first, *last;
	size_t queued;
	int64_t free_ns; /* when the line has carried what is queued */
	bool end;
};

struct client {
	bool open, counted;
	struct way way[2]; /* to the server, to the client */
	/* what is left of the request, reply or event that is passing */
	uint8_t head[2][32];
	size_t nhead[2], left[2];
	bool begun[2];
	int shm_major;
	uint16_t shm_asked; /* sequence number of the question for it */
	uint16_t sequence;
};

static struct client client[CLIENTS];
static int64_t delay_ns, rate;
static const char *fault = "";
static int foreign_shm = -1;
static struct sockaddr_un own = { .sun_family = AF_UNIX };
static volatile sig_atomic_t told, cut, ended;
static z_stream zip;
static struct {
	unsigned long long raw, zlib, requests, replies, flushes, kind[KINDS];
} count;

static int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ((int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec);
}

static void
on_signal(int sig)
{
	if (sig == SIGUSR1)
		told = 1;
	else if (sig == SIGUSR2)
		cut = 1;
	else
		ended = 1;
}

static void
tell(void)
{
	printf("raw=%llu zlib=%llu requests=%llu replies=%llu flushes=%llu "
	       "copy=%llu bits=%llu rects=%llu points=%llu other=%llu\n",
	    count.raw, count.zlib, count.requests, count.replies, count.flushes,
	    count.kind[K_COPY], count.kind[K_BITS], count.kind[K_RECTS],
	    count.kind[K_POINTS], count.kind[K_OTHER]);
	fflush(stdout);
	memset(&count, 0, sizeof(count));
}

/* As ssh does it: one stream, flushed with each packet. */
static void
compress_count(const uint8_t *p, size_t n)
{
	uint8_t out[CHUNK];

	zip.next_in = (uint8_t *)p;
	zip.avail_in = (uInt)n;
	do {
		zip.next_out = out;
		zip.avail_out = sizeof(out);
		deflate(&zip, Z_PARTIAL_FLUSH);
		count.zlib += sizeof(out) - zip.avail_out;
	} while (zip.avail_out == 0);
}

static uint16_t
get16(const uint8_t *p)
{
	return ((uint16_t)(p[0] | p[1] << 8));
}

static uint32_t
get32(const uint8_t *p)
{
	return (get16(p) | (uint32_t)get16(p + 2) << 16);
}

static enum kind
kind_of(uint8_t major)
{
	return (major == 62                  ? K_COPY
		: major == 72                ? K_BITS
		: major == 70 || major == 67 ? K_RECTS
		: major == 64                ? K_POINTS
					     : K_OTHER);
}

static void
put32(uint8_t *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(v >> 8 * i);
}

/*
 * The head of a request is whole; its first `n` bytes lie at p and may be
 * changed.  Returns the bytes of the request.
 */
static size_t
request(struct client *c, uint8_t *p)
{
	size_t words = get16(p + 2);

	c->sequence++;
	if (words == 0) /* a big one */
		words = get32(p + 4);
	if (c->counted) {
		count.requests++;
		count.kind[kind_of(p[0])] += words * 4;
	}
	if (p[0] == 98 && get16(p + 4) == 7 && memcmp(p + 8, "MIT-SHM", 7) == 0)
		c->shm_asked = c->sequence;
	if (c->shm_major != 0 && p[0] == c->shm_major && p[1] == 1) {
		if (strcmp(fault, "shm-refused") == 0)
			put32(p + 8, 0x7fffffff);
		else if (strcmp(fault, "shm-foreign") == 0)
			put32(p + 8, (uint32_t)foreign_shm);
	}
	if (p[0] == 53 && strcmp(fault, "no-pixmap") == 0 && get16(p + 14) > 64)
		p[12] = p[13] = 0xff; /* wider than any may be */
	return (words * 4);
}

/* The head of what the server says; returns its bytes. */
static size_t
answer(struct client *c, const uint8_t *p)
{
	if (p[0] == 1) {
		if (c->counted)
			count.replies++;
		if (c->shm_asked != 0 && get16(p + 2) == c->shm_asked)
			c->shm_major = p[8] != 0 ? p[9] : 0;
	}
	if (p[0] == 1 || (p[0] & 127) == 35)
		return (32 + (size_t)get32(p + 4) * 4);
	return (32);
}

/* Walks over what passes; way 0: to the server. */
static void
follow(struct client *c, int way, uint8_t *p, size_t n)
{
	while (n > 0) {
		size_t want, k;

		if (c->left[way] > 0) {
			k = n < c->left[way] ? n : c->left[way];
			c->left[way] -= k;
			p += k;
			n -= k;
			continue;
		}
		/* the head, which nearly always is in one piece */
		want = !c->begun[way] ? (way == 0 ? 12 : 8) : way == 0 ? 4 : 32;
		if (way == 0 && c->begun[way] && c->nhead[way] >= 4 &&
		    get16(c->head[0] + 2) == 0)
			want = 8;
		if (way == 0 && c->begun[way] && n >= 16 &&
		    c->nhead[way] == 0) { /* may be changed in place */
			size_t size = request(c, p);

			k = n < size ? n : size;
			c->left[way] = size - k;
			p += k;
			n -= k;
			continue;
		}
		k = want - c->nhead[way] < n ? want - c->nhead[way] : n;
		memcpy(c->head[way] + c->nhead[way], p, k);
		c->nhead[way] += k;
		p += k;
		n -= k;
		if (c->nhead[way] < want ||
		    (way == 0 && c->begun[way] && want == 4 &&
			get16(c->head[0] + 2) == 0))
			continue;
		if (!c->begun[way]) {
			uint8_t *h = c->head[way];

			c->begun[way] = true;
			c->left[way] = way == 0
					   ? (size_t)((get16(h + 6) + 3) / 4 +
						      (get16(h + 8) + 3) / 4) *
						 4
					   : (size_t)get16(h + 6) * 4;
		} else if (way == 0) {
			memset(c->head[0] + want, 0, sizeof(c->head[0]) - want);
			c->left[way] = request(c, c->head[0]) - want;
		} else {
			c->left[way] = answer(c, c->head[1]) - want;
		}
		c->nhead[way] = 0;
	}
}

static void
close_client(struct client *c)
{
	close(c->way[0].from);
	close(c->way[0].to);
	for (int i = 0; i < 2; i++)
		for (struct chunk *k = c->way[i].first, *next; k != NULL;
		     k = next) {
			next = k->next;
			free(k);
		}
	c->open = false;
}

/* Reads what there is into the queue; false: the connection is over. */
static bool
take(struct client *c, int i)
{
	struct way *w = &c->way[i];
	struct chunk *k = malloc(sizeof(*k) + CHUNK);
	int64_t now = now_ns();
	ssize_t n;

	if (k == NULL)
		exit(1);
	n = read(w->from, k->p, CHUNK);
	if (n <= 0) {
		free(k);
		return (false);
	}
	k->n = (size_t)n;
	k->sent = 0;
	k->next = NULL;
	if (i == 0 && c->counted) {
		count.raw += k->n;
		count.flushes++;
		compress_count(k->p, k->n);
	}
	follow(c, i, k->p, k->n);
	if (w->free_ns < now)
		w->free_ns = now;
	if (rate > 0)
		w->free_ns += (int64_t)k->n * 1000000000 / rate;
	k->due_ns = w->free_ns + delay_ns;
	if (w->first == NULL)
		w->first = k;
	else
		w->last->next = k;
	w->last = k;
	w->queued += k->n;
	return (true);
}

/* Writes what is due; ns until the next is, or -1; -2: it is over. */
static int64_t
give(struct way *w)
{
	while (w->first != NULL) {
		struct chunk *k = w->first;
		int64_t left = k->due_ns - now_ns();
		ssize_t n;

		if (left > 0)
			return (left);
		n = send(w->to, k->p + k->sent, k->n - k->sent, MSG_NOSIGNAL);
		if (n <= 0)
			return (-2);
		k->sent += (size_t)n;
		if (k->sent < k->n)
			continue;
		w->first = k->next;
		w->queued -= k->n;
		free(k);
	}
	return (-1);
}

static int
server_connect(const char *display)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	snprintf(a.sun_path, sizeof(a.sun_path), "/tmp/.X11-unix/X%s", display);
	if (fd == -1 || connect(fd, (struct sockaddr *)&a, sizeof(a)) == -1) {
		perror(a.sun_path);
		exit(1);
	}
	return (fd);
}

static void
welcome(int listener, const char *server)
{
	static bool first = true;
	int one = 1;

	for (int i = 0; i < CLIENTS; i++) {
		struct client *c = &client[i];
		int fd;

		if (c->open)
			continue;
		memset(c, 0, sizeof(*c));
		fd = accept(listener, NULL, NULL);
		if (fd == -1)
			return;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
		c->way[0].from = c->way[1].to = fd;
		c->way[0].to = c->way[1].from = server_connect(server);
		c->open = true;
		c->counted = first;
		first = false;
		return;
	}
}

static int
listen_at(int display, bool local)
{
	struct sockaddr_in in = { .sin_family = AF_INET,
		.sin_port = htons((uint16_t)(6000 + display)),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd =
	    socket(local ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int one = 1, ret;

	if (local) {
		snprintf(own.sun_path, sizeof(own.sun_path),
		    "/tmp/.X11-unix/X%d", display);
		ret = bind(fd, (struct sockaddr *)&own, sizeof(own));
	} else {
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
		ret = bind(fd, (struct sockaddr *)&in, sizeof(in));
	}
	if (ret == -1 || listen(fd, 8) == -1)
		return (-1);
	return (fd);
}

static void
serve(int listener, const char *server)
{
	struct pollfd p[1 + 2 * CLIENTS];
	int who[1 + 2 * CLIENTS];

	while (!ended) {
		int64_t wait = -1;
		nfds_t n = 1;
		struct timespec ts;

		if (told) {
			told = 0;
			tell();
		}
		p[0] = (struct pollfd){ listener, POLLIN, 0 };
		for (int i = 0; i < 2 * CLIENTS; i++) {
			struct client *c = &client[i / 2];
			int64_t left = c->open ? give(&c->way[i % 2]) : -1;

			if (left == -2 || (cut && c->open && c->counted)) {
				close_client(c);
				i |= 1;
				continue;
			}
			if (left >= 0 && (wait < 0 || left < wait))
				wait = left;
			if (!c->open || c->way[i % 2].queued > QUEUE)
				continue;
			who[n] = i;
			p[n++] =
			    (struct pollfd){ c->way[i % 2].from, POLLIN, 0 };
		}
		ts.tv_sec = wait / 1000000000;
		ts.tv_nsec = wait % 1000000000;
		if (ppoll(p, n, wait < 0 ? NULL : &ts, NULL) == -1)
			continue;
		if (p[0].revents != 0)
			welcome(listener, server);
		for (nfds_t i = 1; i < n; i++)
			if (p[i].revents != 0 && client[who[i] / 2].open &&
			    !take(&client[who[i] / 2], who[i] % 2))
				close_client(&client[who[i] / 2]);
	}
}

int
main(int argc, char **argv)
{
	struct sigaction act = { .sa_handler = on_signal };
	int o, listener, display;
	bool local = false;

	while ((o = getopt(argc, argv, "ud:r:f:")) != -1) {
		if (o == 'u')
			local = true;
		else if (o == 'd')
			delay_ns = atoll(optarg) * 1000000;
		else if (o == 'r')
			rate = atoll(optarg);
		else if (o == 'f')
			fault = optarg;
		else
			return (64);
	}
	if (argc - optind != 2) {
		fprintf(stderr,
		    "usage: proxy [-u] [-d MS] [-r BYTES] [-f WHAT] "
		    "DISPLAY SERVER\n");
		return (64);
	}
	display = atoi(argv[optind]);
	listener = listen_at(display, local);
	if (listener == -1) {
		perror("proxy");
		return (1);
	}
	if (strcmp(fault, "shm-foreign") == 0)
		foreign_shm = shmget(IPC_PRIVATE, 1 << 25, IPC_CREAT | 0600);
	deflateInit(&zip, 6);
	sigaction(SIGUSR1, &act, NULL);
	sigaction(SIGUSR2, &act, NULL);
	sigaction(SIGTERM, &act, NULL);
	sigaction(SIGINT, &act, NULL);
	printf("ready\n");
	fflush(stdout);
	serve(listener, argv[optind + 1]);
	tell();
	if (own.sun_path[0] != '\0')
		unlink(own.sun_path);
	if (foreign_shm != -1)
		shmctl(foreign_shm, IPC_RMID, NULL);
	return (0);
}
