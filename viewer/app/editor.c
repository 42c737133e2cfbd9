/*
 * Starts the user's editor with a file and a line.
 *
 * The words of a command become arguments as they are: whatever is in the name
 * of a file, it stays one argument, and nothing expands it.
 */
#include "app/editor.h"

#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define TERMINAL "x-terminal-emulator"
#define WORDS    32

struct words {
	char *word[WORDS + 1]; /* owned */
	size_t n;
	bool file, full;
};

static void
add(struct words *w, char *owned)
{
	if (owned == NULL || w->n == WORDS) {
		w->full = true;
		free(owned);
		return;
	}
	w->word[w->n++] = owned;
}

/* A word with what %f, %l and %% stand for. */
static char *
filled(struct words *w, const char *s, size_t n, const char *path,
    uint32_t line)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (f == NULL)
		return (NULL);
	for (size_t i = 0; i < n; i++) {
		char next = s[i] == '%' && i + 1 < n ? s[i + 1] : '\0';

		w->file |= next == 'f';
		if (next == 'f')
			fputs(path, f);
		else if (next == 'l')
			fprintf(f, "%" PRIu32, line);
		else
			fputc(s[i], f);
		i += next == 'f' || next == 'l' || next == '%';
	}
	fclose(f);
	return (text);
}

static void
split(struct words *w, const char *command, const char *path, uint32_t line)
{
	char at[16];

	for (const char *p = command; *p != '\0';) {
		size_t n = strcspn(p, " \t");

		if (n > 0)
			add(w, filled(w, p, n, path, line));
		p += n;
		p += strspn(p, " \t");
	}
	if (w->file)
		return;
	snprintf(at, sizeof(at), "+%" PRIu32, line);
	add(w, strdup(at));
	add(w, strdup(path));
}

static const char *
of_environment(void)
{
	const char *e = getenv("VISUAL");

	if (e == NULL || e[strspn(e, " \t")] == '\0')
		e = getenv("EDITOR");
	return (e == NULL || e[strspn(e, " \t")] == '\0' ? NULL : e);
}

/*
 * In a session of its own: what is typed at our terminal is not for it.  Nor is
 * that we ignore SIGPIPE.
 */
static int
start(char *const argv[], pid_t *pid)
{
	posix_spawnattr_t how;
	sigset_t usual;
	int error = posix_spawnattr_init(&how);

	if (error != 0)
		return (error);
	sigemptyset(&usual);
	sigaddset(&usual, SIGPIPE);
	posix_spawnattr_setsigdefault(&how, &usual);
	posix_spawnattr_setflags(&how,
	    POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF);
	error = posix_spawnp(pid, argv[0], NULL, &how, argv, environ);
	posix_spawnattr_destroy(&how);
	return (error);
}

int
editor_open(const char *command, const char *path, uint32_t line, char *why,
    size_t n)
{
	static pid_t before[16]; /* that may have ended; 0: none */
	static size_t at;
	struct words w = { .n = 0 };
	bool own = command != NULL;
	int error = 0;

	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		if (before[i] != 0 && waitpid(before[i], NULL, WNOHANG) != 0)
			before[i] = 0;
	if (!own && (command = of_environment()) == NULL) {
		snprintf(why, n, "set EDITOR, or say which: editor COMMAND");
		return (-1);
	}
	if (!own) {
		add(&w, strdup(TERMINAL));
		add(&w, strdup("-e"));
	}
	split(&w, command, path, line);
	if (w.full || w.n == 0)
		snprintf(why, n, "%.100s: too many words", command);
	else if ((error = start(w.word, &before[at % 16])) != 0)
		snprintf(why, n, "%.100s: %s", w.word[0], strerror(error));
	if (w.full || w.n == 0 || error != 0)
		error = -1;
	else
		at++;
	for (size_t i = 0; i < w.n; i++)
		free(w.word[i]);
	return (error);
}
