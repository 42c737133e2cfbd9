/* What is recorded, asked of monitord while the run goes on. */
#include <stdlib.h>
#include <string.h>

#include "choice.h"
#include "ui/commands/command.h"

#define WORDS_MAX 200

/* Words between blanks; what is in quotes is one. */
static int
split(char *line, char *word[WORDS_MAX + 1])
{
	int n = 0;

	while (*line != '\0' && n < WORDS_MAX) {
		char quote = '\0', *to;

		while (*line == ' ')
			line++;
		if (*line == '\0')
			break;
		word[n++] = to = line;
		for (; *line != '\0' && (quote != '\0' || *line != ' ');
		     line++) {
			if (quote == '\0' && (*line == '\'' || *line == '"'))
				quote = *line;
			else if (quote != '\0' && *line == quote)
				quote = '\0';
			else
				*to++ = *line;
		}
		line += *line != '\0';
		*to = '\0';
	}
	word[n] = NULL;
	return (n);
}

int
command_probe(struct ui *ui, const char *arg)
{
	char *word[WORDS_MAX + 1], *line, *text;
	struct host *host = &ui->desks->host;
	const char *why, *bad = NULL;
	size_t n = 0;

	if (!ui->feed.live || !ui->feed.connected || ui->feed.finished)
		return (desk_fail(ui, "only of a run that goes on can be "
				      "chosen what is recorded"));
	line = strdup(arg);
	text = malloc(CHOICE_REQUEST_BYTES);
	if (line == NULL || text == NULL) {
		free(line);
		free(text);
		return (desk_fail(ui, "out of memory"));
	}
	(void)split(line, word);
	why = choice_request(word, text, &n, &bad);
	if (why != NULL) {
		(void)desk_fail(ui, "probe%s%.80s: %s", bad != NULL ? " " : "",
		    bad != NULL ? bad : "", why);
		free(line);
		free(text);
		return (-1);
	}
	text[n] = '\0';
	free(line);
	free(host->probe);
	host->probe = text;
	return (0);
}
