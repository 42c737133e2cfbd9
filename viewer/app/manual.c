/* The tables of keys, commands and views as the manual page has them, in mdoc.
 */
#include <string.h>

#include "app/app.h"
#include "ui/input/input.h"
#include "ui/views/view.h"

/* Words of mdoc must not begin with a dot or a quote. */
static void
put_words(const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '\\')
			fputs("\\e", stdout);
		else if (*s == '-')
			fputs("\\-", stdout);
		else if (strchr("\"'.,:;?!()[]|", *s) != NULL)
			printf("\\&%c", *s);
		else
			putchar(*s);
	}
}

/* All of a key map, or the mouse alone. */
static void
print_keys(enum keymap map, bool mouse)
{
	const char *keys, *command, *what;

	puts(".Bl -column \"shift+left drag\" -compact");
	for (unsigned i = 0; keys_each(map, i, &keys, &command, &what); i++) {
		if (mouse && command != NULL)
			continue;
		fputs(".It ", stdout);
		put_words(keys);
		fputs(" Ta ", stdout);
		put_words(what);
		putchar('\n');
	}
	puts(".El");
}

static void
print_commands(void)
{
	const char *name, *arguments, *what;

	puts(".Bl -tag -width \"select-range A:B\" -compact");
	for (unsigned i = 0; command_each(i, &name, &arguments, &what); i++) {
		printf(".It Cm %s", name);
		if (arguments[0] != '\0') {
			fputs(" Ar ", stdout);
			put_words(arguments);
		}
		putchar('\n');
		put_words(what);
		puts(".");
	}
	puts(".El");
}

static void
print_views(void)
{
	puts(".Bl -tag -width Communication -compact");
	for (int i = 0; i < VIEWS && views[i].name[0] != '\0'; i++) {
		printf(".It Cm %s\n", views[i].name);
		put_words(views[i].what);
		puts(".");
	}
	puts(".El");
}

/* For programs: a key and what it does to a line, and then the mouse. */
static void
print_bindings(void)
{
	const char *keys, *command, *what;

	for (unsigned i = 0;
	     keys_each(KEYMAP_ORRERY, i, &keys, &command, &what); i++) {
		const char *p = keys, *end;

		if (command == NULL) {
			printf("mouse\t%s\n", keys);
			continue;
		}
		for (; *p != '\0'; p = *end != '\0' ? end + 1 : end) {
			end = strchr(p, ' ');
			end = end != NULL ? end : p + strlen(p);
			printf("key\t%.*s\t%s\n", (int)(end - p), p, command);
		}
	}
}

int
manual_print(const char *list)
{
	if (strcmp(list, "keys") == 0)
		print_keys(KEYMAP_ORRERY, false);
	else if (strcmp(list, "tracy") == 0)
		print_keys(KEYMAP_TRACY, true);
	else if (strcmp(list, "commands") == 0)
		print_commands();
	else if (strcmp(list, "views") == 0)
		print_views();
	else if (strcmp(list, "bindings") == 0)
		print_bindings();
	else
		return (-1);
	return (0);
}
