/* Commands that the user has made of others, and keys. */
#include <string.h>

#include "ui/commands/command.h"
#include "ui/commands/menu.h"
#include "ui/desk/macro.h"
#include "ui/desk/parse.h"

#define DEEP_MAX 8    /* of one in another */
#define RUN_MAX  1000 /* commands of one, with those within */

/* What one of them has to say is said with the name of the outermost. */
static int
trouble(struct ui *ui, const char *name)
{
	char said[sizeof(ui->told.message)];

	if (ui->desks->macros->deep > 1)
		return (-1);
	snprintf(said, sizeof(said), "%s", ui->told.message);
	return (desk_fail(ui, "%s: %.*s", name,
	    (int)(sizeof(said) - MACRO_NAME - 3), said));
}

static int
run_all(struct ui *ui, const struct macro *of, const struct macro_given *g)
{
	char line[MACRO_LINE];
	const char *from, *p = of->body;
	size_t n;

	while (*p != '\0' && !ui->desks->host.quit) {
		p = macro_cut(p, &from, &n);
		if (n == 0)
			continue;
		if (++ui->desks->macros->ran > RUN_MAX)
			return (desk_fail(ui, "%s: more than 1000 commands",
			    of->name));
		if (!macro_fill(line, from, n, g))
			return (desk_fail(ui,
			    "%s: a command of it becomes "
			    "longer than 511 bytes",
			    of->name));
		if (command_run(ui, line) == -1)
			return (trouble(ui, of->name));
	}
	return (0);
}

int
command_macro_run(struct ui *ui, const struct macro *m_of, const char *arg)
{
	struct macros *m = ui->desks->macros;
	struct macro of = *m_of; /* it may define itself anew */
	struct macro_given g;
	bool more;
	unsigned want = macro_words(of.body, &more);
	int rc;

	macro_give(&g, arg, want);
	if (!parse_text_ok(arg))
		return (desk_fail(ui, "%s: what follows is no UTF-8 text",
		    of.name));
	if (want == 0 && !more && *arg != '\0')
		return (desk_fail(ui, "%s takes nothing more", of.name));
	if (g.n < want)
		return (desk_fail(ui, "%s wants %u word%s: %s", of.name, want,
		    want == 1 ? "" : "s", of.body));
	if (m->deep == DEEP_MAX)
		return (desk_fail(ui, "more than 8 within each other"));
	if (m->deep++ == 0)
		m->ran = 0;
	rc = run_all(ui, &of, &g);
	m->deep--;
	return (rc);
}

/* Is there a command for each?  One whose name is a word ($1) is not checked.
 */
static int
check(struct ui *ui, const char *body)
{
	const char *from;
	size_t n, name;

	while (*body != '\0') {
		body = macro_cut(body, &from, &n);
		name = strcspn(from, " \t;$");
		name = name < n ? name : n;
		if (n > 0 && from[name] != '$' &&
		    !command_is(ui, from, name, true))
			return (desk_fail(ui, "define: no such command: %.*s",
			    (int)(name < 40 ? name : 40), from));
	}
	return (0);
}

static int
define(struct ui *ui, const char *arg)
{
	size_t n = strcspn(arg, " \t");

	if (macro_find(ui, arg, n) == NULL && command_is(ui, arg, n, false))
		return (
		    desk_fail(ui, "%.*s is a command already", (int)n, arg));
	if (check(ui, arg + n + strspn(arg + n, " \t")) == -1)
		return (-1);
	return (macro_define(ui, arg));
}

static int
bind_(struct ui *ui, const char *arg)
{
	size_t n = strcspn(arg, " \t");
	const char *line = arg + n + strspn(arg + n, " \t");

	n = strcspn(line, " \t");
	if (n > 0 && !command_is(ui, line, n, true))
		return (desk_fail(ui, "bind: no such command: %.*s",
		    (int)(n < 40 ? n : 40), line));
	return (macro_bind(ui, arg));
}

/* One that wants words is typed on. */
static void
add(struct menu *m, const char *name, const char *body)
{
	char line[sizeof(m->item[0].command)];
	bool more;
	unsigned words = macro_words(body, &more);

	snprintf(line, sizeof(line), "%s%s%s",
	    words > 0 || more ? "prompt > " : "", name,
	    words > 0 || more ? " " : "");
	menu_add(m, line, "%s: %s", name, body);
}

static int
commands(struct ui *ui, const char *arg)
{
	struct menu *m = ui->menu;
	const char *name, *body;

	(void)arg;
	memset(m, 0, sizeof(*m));
	m->chosen = -1;
	for (unsigned i = 0; macro_each(ui, i, &name, &body); i++)
		add(m, name, body);
	if (m->n == 0)
		return (desk_fail(ui, "there are none of your own yet: define "
				      "NAME COMMAND; COMMAND ... makes one"));
	menu_place(ui, ui->mouse.x, ui->mouse.y);
	return (0);
}

const struct command command_macro[] = {
	{ "define", "NAME [COMMAND; COMMAND ...]",
	    "makes a command of the name out of others, in which $1 to $9 are "
	    "the words behind it, $* all of them; with the name alone tells "
	    "what it is",
	    define },
	{ "undefine", "NAME", "forgets that", macro_forget },
	{ "bind", "KEY [COMMAND]",
	    "lets a key do that; without a command what it did before", bind_ },
	{ "commands", "", "a menu of the commands of your own", commands },
	{ 0 },
};
