/* Part of probe.h: objects that keep their own books. */
#ifndef PROBE_HANDLE_H
#define PROBE_HANDLE_H

/*
 * A handle for each object: who it is, where its life began, how often it has
 * moved.  It goes along when the object moves (probe_object_pack() and
 * probe_object_unpack(), which tell of the departure and of the arrival), so
 * that a program keeps no ids of objects, numbers of moves and names of nodes.
 * It belongs to the program, and has no pointers; one thread at a time.
 *
 * An object whose handle is silent, or that has gone, tells nothing.
 */
#define PROBE_OBJECT_TEXT   64  /* bytes of a name that are kept, with its 0 */
#define PROBE_OBJECT_PACKED 288 /* bytes that a packed handle has at most */

struct probe_object {
	uint64_t id;      /* in the whole run */
	uint64_t creator; /* object that asked for it; 0: none */
	uint64_t hops;    /* moves so far */
	uint8_t silent;   /* see probe_object_trace() */
	uint8_t gone;     /* has left from here, or its life is over */
	char class_name[PROBE_OBJECT_TEXT];
	char nickname[PROBE_OBJECT_TEXT]; /* "": none */
	char home[PROBE_OBJECT_TEXT];     /* node where its life began */
	char node[PROBE_OBJECT_TEXT];     /* where it is, or has left from */
};

/* Goes from who asks for an object to where it is made. */
struct probe_request {
	uint64_t id;      /* 0: not told */
	uint64_t creator; /* the object that asks; 0: none */
};

/* A copy, cut where a character of UTF-8 begins; NULL is "". */
PROBE_INSIDE void
probe_object_copy(char *to, const char *from)
{
	uint32_t n = 0;

	while (from != NULL && from[n] != '\0' && n < PROBE_OBJECT_TEXT)
		n++;
	if (n == PROBE_OBJECT_TEXT)
		for (n--; n > 0 && (from[n] & 0xc0) == 0x80; n--)
			;
	for (uint32_t i = 0; i < PROBE_OBJECT_TEXT; i++)
		to[i] = '\0';
	for (uint32_t i = 0; i < n; i++)
		to[i] = from[i];
}

PROBE_INSIDE uint32_t
probe_object_name(const char *text)
{
	return (text == NULL || *text == '\0' ? 0 : probe_name(text));
}

PROBE_INSIDE int
probe_object_tells(const struct probe_object *o)
{
	return (!o->silent && !o->gone);
}

/* A new object of this node, which tells nothing yet; nickname may be NULL. */
PROBE_INLINE void
probe_object_init(struct probe_object *o, const char *class_name,
    const char *nickname)
{
	o->id = probe_id();
	o->creator = o->hops = 0;
	o->silent = o->gone = 0;
	probe_object_copy(o->class_name, class_name);
	probe_object_copy(o->nickname, nickname);
	probe_object_copy(o->home, probe_node_name());
	probe_object_copy(o->node, o->home);
}

/* Off: it tells nothing from here on.  Goes along when the object moves. */
PROBE_INLINE void
probe_object_trace(struct probe_object *o, int on)
{
	o->silent = on == 0;
}

/* The object (NULL: it is none) asks for another to be made. */
PROBE_INLINE void
probe_object_ask(const struct probe_object *o, const char *class_name,
    struct probe_request *r)
{
	r->id = 0;
	r->creator = o == NULL ? 0 : o->id;
	if (o != NULL && !probe_object_tells(o))
		return;
	r->id = probe_id();
	probe_object_request(r->creator, r->id, probe_object_name(class_name));
}

/* Its life begins here; r: what it was asked for with; NULL: nobody did. */
PROBE_INLINE void
probe_object_begin(struct probe_object *o, const struct probe_request *r)
{
	uint64_t request = r == NULL ? 0 : r->id;

	o->creator = r == NULL ? 0 : r->creator;
	if (!probe_object_tells(o))
		return;
	probe_object_create(o->id, request, probe_object_name(o->class_name));
	/* the first event of a process attaches it: now its node has a name */
	if (o->home[0] == '\0')
		probe_object_copy(o->home, probe_node_name());
	if (o->nickname[0] != '\0')
		probe_object_nickname(o->id, probe_object_name(o->nickname));
}

/* Its life is over. */
PROBE_INLINE void
probe_object_end(struct probe_object *o)
{
	if (probe_object_tells(o))
		probe_object_dispose(o->id);
	o->gone = 1;
}

/*
 * The object (NULL: it is none) orders that of this id to move.  Returns the
 * order, which goes to where that object is; 0: it was not told.
 */
PROBE_INLINE uint64_t
probe_object_command(const struct probe_object *o, uint64_t object,
    const char *destination)
{
	uint64_t order;

	if (o != NULL && !probe_object_tells(o))
		return (0);
	order = probe_id();
	if (o != NULL)
		probe_object_orders(o->id, order);
	probe_object_order(object, order, probe_object_name(destination));
	return (order);
}

/* It takes the order. */
PROBE_INLINE void
probe_object_follow(struct probe_object *o, uint64_t order,
    const char *destination)
{
	if (probe_object_tells(o) && order != 0)
		probe_object_obey(o->id, order, probe_object_name(destination));
}

/* It waits, for a reason that is a name, until it goes on. */
PROBE_INLINE void
probe_object_pause(struct probe_object *o, uint32_t reason)
{
	if (probe_object_tells(o))
		probe_object_wait(o->id, reason);
}

PROBE_INLINE void
probe_object_resume(struct probe_object *o)
{
	if (probe_object_tells(o))
		probe_object_go(o->id);
}

/* --- moving --- */

PROBE_INSIDE unsigned char *
probe_object_put(unsigned char *p, const char *text)
{
	unsigned char *n = p++;

	while (*text != '\0')
		*p++ = (unsigned char)*text++;
	*n = (unsigned char)(p - n - 1);
	return (p);
}

/* Where what follows begins; NULL: it does not fit. */
PROBE_INSIDE const unsigned char *
probe_object_get(const unsigned char *p, const unsigned char *end, char *text)
{
	uint32_t n;

	if (p == NULL || p == end || (n = *p++) >= PROBE_OBJECT_TEXT ||
	    n > (size_t)(end - p))
		return (NULL);
	for (uint32_t i = 0; i < PROBE_OBJECT_TEXT; i++)
		text[i] = i < n ? (char)p[i] : '\0';
	return (p + n);
}

/*
 * The object leaves for a node (NULL: it is not known which): the handle is
 * written to buf, which travels, and that here has gone.  Returns the bytes;
 * 0: there are fewer than PROBE_OBJECT_PACKED, or it had gone before, and
 * nothing has happened.
 */
PROBE_INLINE size_t
probe_object_pack(struct probe_object *o, const char *destination, void *buf,
    size_t bytes)
{
	unsigned char *p = (unsigned char *)buf;
	uint64_t word[3] = { o->id, o->creator, o->hops + 1 };

	if (o->gone || bytes < PROBE_OBJECT_PACKED)
		return (0);
	probe_object_copy(o->node, probe_node_name());
	*p++ = 'P';
	*p++ = 'o';
	*p++ = 1; /* version */
	*p++ = o->silent;
	for (uint32_t i = 0; i < 24; i++)
		*p++ = (unsigned char)(word[i / 8] >> (i % 8 * 8));
	p = probe_object_put(p, o->class_name);
	p = probe_object_put(p, o->nickname);
	p = probe_object_put(p, o->home);
	p = probe_object_put(p, o->node);
	o->hops++;
	if (!o->silent)
		probe_object_depart(o->id, o->hops,
		    probe_object_name(destination));
	o->gone = 1;
	return ((size_t)(p - (unsigned char *)buf));
}

/*
 * The object is here now.  Returns the bytes of the packed handle; 0: it is
 * none, nothing has happened, and *o is as one that has gone.
 */
PROBE_INLINE size_t
probe_object_unpack(struct probe_object *o, const void *buf, size_t bytes)
{
	const unsigned char *p = (const unsigned char *)buf, *end = p + bytes;
	uint64_t word[3] = { 0, 0, 0 };

	o->id = o->creator = o->hops = 0;
	o->silent = o->gone = 1;
	o->class_name[0] = o->nickname[0] = o->home[0] = o->node[0] = '\0';
	if (bytes < 28 || p[0] != 'P' || p[1] != 'o' || p[2] != 1 || p[3] > 1)
		return (0);
	for (uint32_t i = 0; i < 24; i++)
		word[i / 8] |= (uint64_t)p[4 + i] << (i % 8 * 8);
	p = probe_object_get(p + 28, end, o->class_name);
	p = probe_object_get(p, end, o->nickname);
	p = probe_object_get(p, end, o->home);
	p = probe_object_get(p, end, o->node);
	if (p == NULL)
		return (0);
	o->id = word[0];
	o->creator = word[1];
	o->hops = word[2];
	o->silent = ((const unsigned char *)buf)[3];
	o->gone = 0;
	if (!o->silent)
		probe_object_arrive(o->id, o->hops, probe_object_name(o->node));
	probe_object_copy(o->node, probe_node_name());
	return ((size_t)(p - (const unsigned char *)buf));
}

#endif
