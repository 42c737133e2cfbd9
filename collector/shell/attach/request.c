/*
 * Requests at the attach port.  Everything is bounded before it is read.
 */
#include "request.h"

#include "ring.h"

static const char *
attach_fault(const struct msg_attach *m)
{
	if (m->layout != RING_LAYOUT)
		return ("its libprobe has another layout of rings; build it "
			"against this version");
	if (m->clock != RING_CLOCK_TSC && m->clock != RING_CLOCK_RAW)
		return ("time stamps of an unknown kind");
	return (NULL);
}

ssize_t
request_parse(const void *buf, size_t n, struct request *rq, const char **why)
{
	struct frame f = { 0 };
	enum frame_status status = frame_parse(buf, n, &f);

	*why = NULL;
	if (status == FRAME_SHORT) {
		if (n < REQUEST_BYTES_MAX && f.frame_bytes <= REQUEST_BYTES_MAX)
			return (0);
		*why = "message is too long";
		return (-1);
	}
	if (status != FRAME_OK) {
		*why = frame_strstatus(status);
		return (-1);
	}
	rq->type = f.type;
	if (f.type != MSG_attach && f.type != MSG_unheard &&
	    f.type != MSG_query)
		*why = "neither attach nor query";
	else if (msg_decode(f.type, f.body, f.body_bytes, &rq->m) == -1)
		*why = "damaged message";
	else if (f.type == MSG_attach)
		*why = attach_fault(&rq->m.attach);
	return (*why == NULL ? (ssize_t)f.frame_bytes : -1);
}
