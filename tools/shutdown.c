/*
 * monitorctl shutdown: asks monitord to end the run and shows what it says
 * about it, up to the receipt.
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sysexits.h>

#include "log.h"
#include "monitorctl.h"
#include "plain.h"
#include "tools/ask/ask.h"

/*
 * Flushing takes as long as it takes, but monitord says twice a second how
 * far it is.
 */
#define SILENCE_MS 60000

int
shutdown_run(const struct globals *g, int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' },
		{ 0 },
	};
	struct msg_request request = { .verb = BYTES_STR("shutdown") };
	struct msg_reply reply = { 0 };
	struct ask a;
	int c;

	if ((c = getopt_long(argc, argv, "h", options, NULL)) != -1)
		return (option_of("shutdown", c, argv));
	if (optind < argc)
		return (usage_of("shutdown", false));
	if (ask_monitord(&a, g->socket) == -1)
		return (a.code);
	if (ask_send(&a, MSG_request, &request) == -1)
		goto fail;
	do {
		if (ask_receive(&a, MSG_reply, &reply, SILENCE_MS) == -1) {
			log_warnx("no receipt: the log is not finished; start "
				  "monitord again with the same log, then shut "
				  "it down");
			goto fail;
		}
		plain_print(stdout, reply.text.p, reply.text.n);
		fflush(stdout);
	} while (reply.more);
	ask_close(&a);
	return (reply.code);

fail:
	ask_close(&a);
	return (a.code);
}
