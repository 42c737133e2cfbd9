/*
 * Defines, finds and fills in the user's own commands.
 *
 * What is defined is a text; its commands are cut out and get their words when
 * it is run, so that what one of them is called may be a word, too.
 */
#include "ui/desk/macro.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ui/desk/desk.h"
#include "ui/desk/parse.h"

struct macros *
macros_new(void)
{
	return (calloc(1, sizeof(struct macros)));
}

void
macros_free(struct macros *m)
{
	free(m);
}

static struct macro *
find(struct macros *m, const char *name, size_t n)
{
	for (unsigned i = 0; i < m->n; i++)
		if (strlen(m->of[i].name) == n &&
		    strncmp(m->of[i].name, name, n) == 0)
			return (&m->of[i]);
	return (NULL);
}

const struct macro *
macro_find(const struct ui *ui, const char *name, size_t n)
{
	return (find(ui->desks->macros, name, n));
}

bool
macro_each(const struct ui *ui, unsigned i, const char **name,
    const char **body)
{
	const struct macros *m = ui->desks->macros;

	if (i >= m->n)
		return (false);
	*name = m->of[i].name;
	*body = m->of[i].body;
	return (true);
}

bool
macro_key_each(const struct ui *ui, unsigned i, const char **key,
    const char **line)
{
	const struct macros *m = ui->desks->macros;

	if (i >= m->nkeys)
		return (false);
	*key = m->key[i].key;
	*line = m->key[i].line;
	return (true);
}

void
macro_put(const struct ui *ui, FILE *f)
{
	const char *name, *text;

	for (unsigned i = 0; macro_each(ui, i, &name, &text); i++)
		fprintf(f, "define %s %s\n", name, text);
	for (unsigned i = 0; macro_key_each(ui, i, &name, &text); i++)
		fprintf(f, "bind %s %s\n", name, text);
}

unsigned
macro_words(const char *body, bool *more)
{
	unsigned most = 0;

	*more = false;
	for (const char *p = strchr(body, '$'); p != NULL && p[1] != '\0';
	     p = strchr(p + 2, '$')) {
		if (p[1] >= '1' && p[1] <= '9' && (unsigned)(p[1] - '0') > most)
			most = (unsigned)(p[1] - '0');
		*more |= p[1] == '*';
	}
	return (most);
}

const char *
macro_cut(const char *p, const char **from, size_t *n)
{
	const char *end;

	p += strspn(p, " \t");
	*from = p;
	while (*p != '\0' && *p != ';')
		p += *p == '\\' && p[1] == ';' ? 2 : 1;
	end = p;
	while (end > *from && (end[-1] == ' ' || end[-1] == '\t'))
		end--;
	*n = (size_t)(end - *from);
	return (*p == ';' ? p + 1 : p);
}

static bool
is_name(const char *name, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!isalnum((unsigned char)name[i]) && name[i] != '-' &&
		    name[i] != '_')
			return (false);
	return (n > 0 && n < MACRO_NAME && isalpha((unsigned char)name[0]));
}

static const char *
behind(const char *words, size_t n)
{
	words += n;
	return (words + strspn(words, " \t"));
}

int
macro_define(struct ui *ui, const char *words)
{
	size_t n = strcspn(words, " \t");
	const char *body = behind(words, n);
	struct macros *m = ui->desks->macros;
	struct macro *of = find(m, words, n);

	if (!parse_text_ok(words))
		return (desk_fail(ui, "define: this is no UTF-8 text"));
	if (!is_name(words, n))
		return (desk_fail(ui,
		    "define wants NAME COMMAND; COMMAND ..., a name of up to "
		    "23 letters, digits, - and _"));
	if (*body == '\0' && of != NULL) {
		snprintf(ui->told.message, sizeof(ui->told.message), "%s: %s",
		    of->name, of->body);
		return (0);
	}
	if (*body == '\0')
		return (desk_fail(ui, "define %.*s wants its commands", (int)n,
		    words));
	if (strlen(body) >= MACRO_BODY)
		return (desk_fail(ui, "%.*s is longer than 199 bytes", (int)n,
		    words));
	if (of == NULL && m->n == MACROS_MAX)
		return (desk_fail(ui, "there are 32 commands of your own"));
	if (of == NULL)
		of = &m->of[m->n++];
	snprintf(of->name, sizeof(of->name), "%.*s", (int)n, words);
	snprintf(of->body, sizeof(of->body), "%s", body);
	return (0);
}

static void
unbind(struct macros *m, unsigned i)
{
	memmove(&m->key[i], &m->key[i + 1],
	    (--m->nkeys - i) * sizeof(m->key[0]));
}

int
macro_forget(struct ui *ui, const char *name)
{
	size_t n = strlen(name);
	struct macros *m = ui->desks->macros;
	struct macro *of = find(m, name, n);

	if (of == NULL)
		return (desk_fail(ui, "no command of your own is called %.40s",
		    name));
	for (unsigned i = m->nkeys; i-- > 0;)
		if (strcspn(m->key[i].line, " ") == n &&
		    strncmp(m->key[i].line, name, n) == 0)
			unbind(m, i);
	m->n--;
	memmove(of, of + 1, (size_t)(&m->of[m->n] - of) * sizeof(*of));
	return (0);
}

static struct macro_key *
find_key(struct macros *m, const char *key)
{
	for (unsigned i = 0; i < m->nkeys; i++)
		if (strcmp(m->key[i].key, key) == 0)
			return (&m->key[i]);
	return (NULL);
}

int
macro_bind(struct ui *ui, const char *words)
{
	size_t n = strcspn(words, " \t");
	const char *line = behind(words, n);
	struct macros *m = ui->desks->macros;
	struct macro_key *k;
	char key[MACRO_NAME];

	if (!parse_text_ok(words))
		return (desk_fail(ui, "bind: this is no UTF-8 text"));
	if (n == 0)
		return (-1);
	snprintf(key, sizeof(key), "%.*s", (int)n, words);
	if (n >= sizeof(key) || !parse_key_ok(key))
		return (desk_fail(ui, "no key is called %.*s",
		    (int)(n < 40 ? n : 40), words));
	if (strcmp(key, "Escape") == 0)
		return (desk_fail(ui, "Escape closes what is open"));
	k = find_key(m, key);
	if (*line == '\0' && k == NULL)
		return (desk_fail(ui, "%s is bound to nothing of yours", key));
	if (*line == '\0') {
		unbind(m, (unsigned)(k - m->key));
		return (0);
	}
	if (strlen(line) >= MACRO_BODY)
		return (desk_fail(ui, "bind %s: longer than 199 bytes", key));
	if (k == NULL && m->nkeys == MACROS_MAX)
		return (desk_fail(ui, "32 keys are bound already"));
	if (k == NULL)
		k = &m->key[m->nkeys++];
	snprintf(k->key, sizeof(k->key), "%s", key);
	snprintf(k->line, sizeof(k->line), "%s", line);
	return (0);
}

const char *
macro_key(const struct ui *ui, const char *key)
{
	const struct macro_key *k = find_key(ui->desks->macros, key);

	return (k != NULL ? k->line : NULL);
}

void
macro_give(struct macro_given *g, const char *arg, unsigned want)
{
	memset(g, 0, sizeof(*g));
	g->word[0].p = arg;
	g->word[0].n = strlen(arg);
	while (*arg != '\0' && g->n < 9) {
		g->n++;
		g->word[g->n].p = arg;
		g->word[g->n].n =
		    g->n == want ? strlen(arg) : strcspn(arg, " \t");
		arg = behind(arg, g->word[g->n].n);
	}
}

/* Is there still room? */
static bool
put(char line[MACRO_LINE], size_t *at, const char *p, size_t n)
{
	if (MACRO_LINE - *at <= n)
		return (false);
	memcpy(line + *at, p, n);
	*at += n;
	line[*at] = '\0';
	return (true);
}

bool
macro_fill(char line[MACRO_LINE], const char *p, size_t n,
    const struct macro_given *g)
{
	const char *end = p + n;
	size_t at = 0;
	bool room = true;

	line[0] = '\0';
	while (p < end && room) {
		const char *next = p + 1 < end ? p + 1 : p;
		bool dollar = *p == '$', digit = *next >= '1' && *next <= '9';

		if (dollar && (digit || *next == '*')) {
			unsigned i = digit ? (unsigned)(*next - '0') : 0;

			room = put(line, &at, g->word[i].p, g->word[i].n);
			p += 2;
		} else {
			bool escaped = (dollar && *next == '$' && next > p) ||
				       (*p == '\\' && *next == ';');

			room = put(line, &at, escaped ? next : p, 1);
			p += escaped ? 2 : 1;
		}
	}
	return (room);
}
