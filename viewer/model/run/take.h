/*
 * What the writer does with each thing that the log says, and what the rooms
 * above read of lanes, links and messages.
 */
#ifndef VIEWER_TAKE_H
#define VIEWER_TAKE_H

#include "frame.h"
#include "message.h"
#include "model/run/part.h"

/* laneread.c: how long the last state of a lane holds */
int64_t lane_until(const struct model *, uint32_t lane);
/*
 * laneread.c: what x, a piece of that lane that lies over something (see
 * state_is_over), lies over: the last piece before that does not, be it of no
 * time.  It may be idle.  false: nothing is known of it.
 */
bool lane_under(const struct model *, uint32_t lane, const struct lod_piece *x,
    struct lod_piece *under);
/* laneread.c: what a piece's number of such a span stands for: see span.id. */
uint64_t span_id(const struct model *, uint8_t span, uint32_t number);

/* odd.c: writer; what makes no sense is left out, and noted */
enum odd {
	ODD_FRAME,    /* cannot be read: number is its type */
	ODD_NUMBER,   /* of a definition, or a location: see tracefile.h */
	ODD_KIND,     /* described as none can be */
	ODD_TIME,     /* too far from all others: number is the frame's type */
	ODD_SEGMENT,  /* of the clock of a node without a definition */
	ODD_NODE,     /* in what monitord tells of one */
	ODD_LOCATION, /* without a definition; if it can be, it is shown */
	ODDS
};
void odd_note(struct model *, enum odd, uint32_t number);
/* As many events as a block may have, at such times; else that is noted. */
bool block_is_possible(struct model *, const struct msg_block *);
/*
 * Monitor times lie within 18 years of the start of that clock: there is room
 * for margins and for several times a range in sight.
 */
#define NEAR_NS ((int64_t)1 << 59)
static inline bool
time_is_near(int64_t t_ns)
{
	return (t_ns >= -NEAR_NS && t_ns <= NEAR_NS);
}
/* A duration that an event tells of. */
static inline int64_t
word_ns(uint64_t word)
{
	return (word < (uint64_t)NEAR_NS ? (int64_t)word : NEAR_NS);
}

/* define.c */
int define_frame(struct model *, const struct frame *);
struct location *define_location(struct model *, uint32_t location);
void define_po_life(struct model *, const struct location *,
    const struct event *);
void define_clear(struct model *);

/*
 * functions.c: reader; as model_name_stats(), but for waits that go on, of the
 * functions with numbers below `functions`; row (may be NULL): by number of a
 * function, where it is in out + 1.
 */
size_t functions_kept(const struct model *, struct name_stats *out, size_t max,
    uint32_t *row, uint32_t functions);
/* functions.c: reader, too; 0: there is no such */
uint32_t function_find(const struct model *, uint8_t kind, uint32_t name);
struct function *function_at(const struct model *, uint32_t number);
/* functions.c: writer; all of them go */
void functions_clear(struct model *);

/* lanes.c: writer */
struct lane_data *lane_at(const struct model *, uint32_t id);
/* UINT32_MAX: memory is out. */
uint32_t lane_add(struct model *, const struct lane *, int with_lod);
uint16_t lane_state(struct model *, uint8_t class, uint8_t kind, uint32_t name,
    int fresh);
void lane_change(struct model *, uint32_t lane, int64_t t, uint16_t state,
    uint32_t id);
/* Made when it is new; UINT32_MAX: there cannot be such a node. */
uint32_t lane_of_node(struct model *, uint32_t node);
/* Reader, too: NULL, nothing has been said of this node. */
struct node_data *node_defined(const struct model *, uint32_t node);

/* marks.c: writer */
void mark_add(struct model *, uint32_t lane, const struct event *);

/* sites.c: an enter with its caller; a module of a PO.  -1: ENOMEM */
void site_event(struct model *, const struct location *, const struct event *);
int site_module(struct model *, struct po_data *, const struct msg_module *);
void sites_init(struct model *);
void sites_clear(struct model *);

/* tables.c: writer; reader */
void density_add(struct model *, int64_t t);
void density_read(const struct model *, int64_t t0, int64_t t1, unsigned n,
    uint32_t *out);

/* health.c: writer */
void health_event(struct model *, uint32_t node, const struct event *);

#endif
