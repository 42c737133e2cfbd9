/*
 * Addresses and listeners of the real env.
 */
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "env_real.h"
#include "log.h"
#include "owner.h"

#define BACKLOG  128
#define PAUSE_US 100000 /* of accept, when there are no descriptors */

struct env_listener {
	struct env *env;
	int fd;
	int reserve; /* a descriptor for when there are no others */
	struct event *ev, *again;
	void (*accepted)(void *, struct env_conn *);
	void *arg;
	char path[108]; /* of a Unix socket, else "" */
};

int
env_address(const char *address, struct sockaddr_storage *ss, socklen_t *len,
    const char **unix_path)
{
	struct addrinfo hints = { .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
		.ai_socktype = SOCK_STREAM };
	struct sockaddr_un *un = (struct sockaddr_un *)ss;
	struct addrinfo *res = NULL;
	char host[128];
	const char *colon;
	size_t n;

	memset(ss, 0, sizeof(*ss));
	*unix_path = NULL;
	errno = EINVAL;
	if (strncmp(address, "unix:", 5) == 0) {
		*unix_path = address + 5;
		if (strlen(*unix_path) >= sizeof(un->sun_path))
			return (-1);
		un->sun_family = AF_UNIX;
		memcpy(un->sun_path, *unix_path, strlen(*unix_path) + 1);
		*len = sizeof(*un);
		return (0);
	}
	if (strncmp(address, "tcp:", 4) != 0)
		return (-1);
	address += 4;
	colon = strrchr(address, ':');
	if (colon == NULL || (n = (size_t)(colon - address)) >= sizeof(host))
		return (-1);
	if (n >= 2 && address[0] == '[' && colon[-1] == ']') {
		address++;
		n -= 2;
	}
	memcpy(host, address, n);
	host[n] = '\0';
	if (strcmp(host, "localhost") == 0) /* the only name; nobody is asked */
		memcpy(host, "127.0.0.1", sizeof("127.0.0.1"));
	if (getaddrinfo(host, colon + 1, &hints, &res) != 0) {
		errno = EINVAL;
		return (-1);
	}
	memcpy(ss, res->ai_addr, res->ai_addrlen);
	*len = res->ai_addrlen;
	freeaddrinfo(res);
	return (0);
}

/*
 * No descriptor is free: whoever came first is turned away by the one that is
 * kept for that, so that it is not left waiting, and the others wait.  Nobody
 * else has to: what is not accepted would wake the loop at once again.
 */
static void
turn_away(struct env_listener *l)
{
	static const struct timeval pause = { 0, PAUSE_US };
	int s;

	log_warnx("no descriptors are left for new connections; raise "
		  "`ulimit -n'");
	if (l->reserve != -1)
		close(l->reserve);
	s = accept4(l->fd, NULL, NULL, SOCK_CLOEXEC);
	if (s != -1)
		close(s);
	l->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
	event_del(l->ev);
	event_add(l->again, &pause);
}

static void
on_again(evutil_socket_t fd, short what, void *arg)
{
	struct env_listener *l = arg;

	(void)fd;
	(void)what;
	event_add(l->ev, NULL);
}

static void
on_accept(evutil_socket_t fd, short what, void *arg)
{
	struct env_listener *l = arg;
	struct env_conn *c;
	unsigned uid;
	int s;

	(void)what;
	s = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (s == -1) {
		if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS ||
		    errno == ENOMEM)
			turn_away(l);
		return;
	}
	if (!owner_is_trusted(s, &uid)) {
		log_warnx("%s: a process of user %u is turned away", l->path,
		    uid);
		close(s);
		return;
	}
	c = env_conn_accepted(l->env, s);
	if (c == NULL) {
		close(s);
		return;
	}
	l->accepted(l->arg, c);
}

/* A socket file that nobody answers at is a leftover and is removed. */
static int
remove_stale(const struct sockaddr_storage *ss, socklen_t len, const char *path)
{
	struct stat st;
	int fd, rv;

	if (lstat(path, &st) == -1)
		return (errno == ENOENT ? 0 : -1);
	if (!S_ISSOCK(st.st_mode)) {
		errno = EEXIST;
		return (-1);
	}
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd == -1)
		return (-1);
	rv = connect(fd, (const struct sockaddr *)ss, len);
	if (rv == 0 || errno == EAGAIN) {
		close(fd);
		errno = EADDRINUSE;
		return (-1);
	}
	close(fd);
	return (unlink(path));
}

static int
listen_socket(const struct sockaddr_storage *ss, socklen_t len,
    const char *unix_path)
{
	int fd, one = 1, rv, saved;
	mode_t mask;

	if (unix_path != NULL && remove_stale(ss, len, unix_path) == -1)
		return (-1);
	fd = socket(ss->ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC,
	    0);
	if (fd == -1)
		return (-1);
	if (unix_path == NULL)
		setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	mask = umask(0177);
	rv = bind(fd, (const struct sockaddr *)ss, len);
	saved = errno;
	umask(mask);
	if (rv == 0 && listen(fd, BACKLOG) == 0)
		return (fd);
	if (rv == 0)
		saved = errno;
	close(fd);
	errno = saved;
	return (-1);
}

struct env_listener *
env_real_listen(struct env *env, const char *address,
    void (*accepted)(void *, struct env_conn *), void *arg)
{
	struct sockaddr_storage ss;
	struct env_listener *l;
	const char *unix_path;
	socklen_t len;
	int saved;

	if (env_address(address, &ss, &len, &unix_path) == -1)
		return (NULL);
	l = calloc(1, sizeof(*l));
	if (l == NULL)
		return (NULL);
	l->env = env;
	l->accepted = accepted;
	l->arg = arg;
	l->reserve = -1;
	l->fd = listen_socket(&ss, len, unix_path);
	if (l->fd == -1)
		goto fail;
	l->reserve = open("/dev/null", O_RDONLY | O_CLOEXEC);
	if (unix_path != NULL)
		memcpy(l->path, unix_path, strlen(unix_path) + 1);
	l->ev = event_new(((struct env_real *)env)->base, l->fd,
	    EV_READ | EV_PERSIST, on_accept, l);
	l->again =
	    event_new(((struct env_real *)env)->base, -1, 0, on_again, l);
	if (l->ev == NULL || l->again == NULL || event_add(l->ev, NULL) == -1)
		goto fail;
	return (l);

fail:
	saved = errno;
	env_real_listener_free(l);
	errno = saved;
	return (NULL);
}

void
env_real_listener_free(struct env_listener *l)
{
	if (l == NULL)
		return;
	if (l->ev != NULL)
		event_free(l->ev);
	if (l->again != NULL)
		event_free(l->again);
	if (l->fd != -1)
		close(l->fd);
	if (l->reserve != -1)
		close(l->reserve);
	if (l->path[0] != '\0')
		unlink(l->path);
	free(l);
}
