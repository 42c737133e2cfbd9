/*
 * Colours.  States are Okabe and Ito's set, PEs and nodes Paul Tol's bright
 * and muted ones (beyond them the golden angle with three lightnesses), time
 * is viridis: all of them chosen to be told apart with any colour vision.
 * tests/unit/viewer_palette_test.c measures that.
 */
#include "layout/palette.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "model/run/run.h"

/* Spreads the names of the examples well; any odd number would do. */
#define NAME_SEED 0xee30f8ff969f5ed1ull

#define STATES                                                                 \
	{                                                                      \
		0x1b2128, 0x009e73, 0xe69f00, 0xd55e00, 0xcc79a7, 0x0072b2,    \
		    0x56b4e9, 0x786070, 0xf0e442, 0xc4ccd4, 0x4477aa,          \
		    0xee6677, 0x66ccee, 0xccbb44, 0x228833, 0xaa3377           \
	}

const struct palette palette_dark = {
	.background = 0x101418,
	.panel = 0x161b21,
	.line = 0x232a31,
	.grid = 0x2a3138,
	.text = 0xd7dde3,
	.dim = 0x8b949e,
	.faint = 0x58626c,
	.accent = 0x56b4e9,
	.selection = 0x1d3a4c,
	.warn = 0xe69f00,
	.error = 0xff5f56,
	.state = STATES,
};

const struct palette palette_light = {
	.background = 0xffffff,
	.panel = 0xf3f5f7,
	.line = 0xdde2e6,
	.grid = 0xd0d6db,
	.text = 0x14191e,
	.dim = 0x57606a,
	.faint = 0x8c959f,
	.accent = 0x0072b2,
	.selection = 0xcfe8f7,
	.warn = 0x985b00,
	.error = 0xc0241c,
	.state = STATES,
};

/* hue in degrees, saturation and lightness in 1/255; integers only */
static uint32_t
hsl(unsigned hue, unsigned s, unsigned l)
{
	int c, x, m, r = 0, g = 0, b = 0, l2 = (int)l * 2 - 255;

	if (l2 < 0)
		l2 = -l2;
	c = (255 - l2) * (int)s / 255;
	x = (int)(hue % 120) - 60;
	x = c * (60 - (x < 0 ? -x : x)) / 60;
	m = (int)l - c / 2;
	switch (hue / 60 % 6) {
	case 0:
		r = c, g = x;
		break;
	case 1:
		r = x, g = c;
		break;
	case 2:
		g = c, b = x;
		break;
	case 3:
		g = x, b = c;
		break;
	case 4:
		r = x, b = c;
		break;
	case 5:
		r = c, b = x;
		break;
	}
	return ((uint32_t)(r + m) << 16 | (uint32_t)(g + m) << 8 |
		(uint32_t)(b + m));
}

uint32_t
palette_pe(unsigned pe)
{
	static const uint32_t tol[12] = { 0x4477aa, 0xee6677, 0x66ccee,
		0xccbb44, 0x228833, 0xaa3377, 0xee7733, 0x44aa99, 0x9977cc,
		0xf0e2b6, 0xb3703a, 0x999933 };
	static const uint8_t light[3] = { 165, 145, 195 };

	if (pe < 12)
		return (tol[pe]);
	return (hsl((unsigned)((uint64_t)pe * 137508 / 1000 % 360), 150,
	    light[pe % 3]));
}

uint32_t
palette_node(unsigned place)
{
	return (place == 0 ? 0x8b949e : palette_pe(place - 1));
}

uint32_t
palette_of_node(const struct model *m, uint32_t node)
{
	return (palette_node(node == 0 ? 0 : model_node_rank(m, node) + 1));
}

static const uint32_t names[PALETTE_NAMES] = { 0x766830, 0xee6677, 0x228833,
	0xf4bc5a, 0xa030ca, 0xaa3377, 0xa05a4c, 0x44aa99, 0x9977cc, 0xf0e2b6,
	0x307676, 0x999933, 0xf4bcca, 0x68e6bc, 0x7788dd, 0xbb8855, 0x6892a0,
	0x4cd8e6, 0xdd88ee, 0x84e64c, 0xffaa88, 0x4c5ae6, 0xd9b8ff, 0x66aa77 };
static uint64_t assigned[PALETTE_NAMES]; /* by slot: whose; 0: nobody's */

static uint64_t
name_hash(const char *text)
{
	uint64_t h = 0x6c62272e07bb0142ull;

	for (; *text != '\0'; text++)
		h = (h ^ (uint8_t)*text) * 0x100000001b3ull;
	h = (h ^ h >> 29) * NAME_SEED;
	return (h != 0 ? h : 1);
}

static unsigned
name_choice(uint64_t h)
{
	return ((unsigned)((h >> 40) * PALETTE_NAMES >> 24));
}

/* Its own, else the free one that it would get; without one its choice. */
static unsigned
name_slot(uint64_t h)
{
	unsigned k = name_choice(h), at;

	for (unsigned i = 0; i < PALETTE_NAMES; i++) {
		at = (k + i) % PALETTE_NAMES;
		if (assigned[at] == h || assigned[at] == 0)
			return (at);
	}
	return (k);
}

void
palette_assign_none(void)
{
	memset(assigned, 0, sizeof(assigned));
}

bool
palette_all_assigned(void)
{
	for (unsigned i = 0; i < PALETTE_NAMES; i++)
		if (assigned[i] == 0)
			return (false);
	return (true);
}

void
palette_assign(const char *text)
{
	uint64_t h = name_hash(text);
	unsigned at = name_slot(h);

	if (assigned[at] == 0)
		assigned[at] = h;
}

uint32_t
palette_name(uint32_t name, const char *text)
{
	uint64_t h;
	unsigned at;

	if (text == NULL)
		return (palette_pe(name + 12));
	h = name_hash(text);
	at = name_slot(h);
	return (names[assigned[at] == h ? at : name_choice(h)]);
}

#define KEY_BYTES 512

/*
 * What tells it from all others: its text and, if others are called so, where
 * it is declared.
 */
static const char *
name_key(const struct model *m, uint32_t name, char buf[KEY_BYTES])
{
	const char *text = model_name(m, name), *file, *program;
	uint32_t line;

	if (text == NULL || model_name_shared(m, name) == NAME_ALONE)
		return (text);
	file = model_name_place(m, name, &line);
	if (file == NULL || file[0] == '\0')
		return (text);
	program = model_name_program(m, name);
	snprintf(buf, KEY_BYTES, "%.200s\n%.200s\n%" PRIu32 "\n%.60s", text,
	    file, model_name_declared(m, name), program != NULL ? program : "");
	return (buf);
}

uint32_t
palette_of_name(const struct model *m, uint32_t name)
{
	char buf[KEY_BYTES];

	return (palette_name(name, name_key(m, name, buf)));
}

void
palette_assign_name(const struct model *m, uint32_t name)
{
	char buf[KEY_BYTES];
	const char *key = name_key(m, name, buf);

	if (key != NULL)
		palette_assign(key);
}

uint32_t
palette_of(const struct model *m, uint32_t name, const char *text)
{
	const char *known = name != 0 ? model_name(m, name) : NULL;

	return (known != NULL && strcmp(known, text) == 0
		    ? palette_of_name(m, name)
		    : palette_name(name, text));
}

static uint32_t
between(uint32_t a, uint32_t b, unsigned t_256)
{
	uint32_t out = 0, x, y;

	for (int shift = 0; shift < 24; shift += 8) {
		x = a >> shift & 255;
		y = b >> shift & 255;
		out |= ((x * (256 - t_256) + y * t_256 + 128) >> 8) << shift;
	}
	return (out);
}

const char *const palette_scale_name[SCALES] = { "viridis", "cividis",
	"spectrum" };

/* Stops at equal distances.  The spectrum is five ramps, as on a tube. */
static const struct {
	uint32_t stop[20], stops;
} scales[SCALES] = {
	[SCALE_VIRIDIS] = { { 0x440154, 0x481567, 0x482677, 0x453781, 0x404788,
				0x39568c, 0x33638d, 0x2d708e, 0x287d8e,
				0x238a8d, 0x1f968b, 0x20a387, 0x29af7f,
				0x3cbb75, 0x55c667, 0x73d055, 0x95d840,
				0xb8de29, 0xdce319, 0xfde725 },
	    20 },
	[SCALE_CIVIDIS] = { { 0x00224e, 0x0e2e6b, 0x2a3f6d, 0x3e4c6b, 0x4f5a6c,
				0x5f686e, 0x6f7671, 0x7f8575, 0x909474,
				0xa2a472, 0xb5b56c, 0xcac661, 0xe0d953,
				0xfee838 },
	    14 },
	[SCALE_SPECTRUM] = { { 0x0000ff, 0x00ffff, 0x00ff00, 0xffff00, 0xff0000,
				 0xff00ff },
	    6 },
};

uint32_t
palette_scale(enum palette_scale scale, double tau)
{
	const uint32_t *stop = scales[scale % SCALES].stop;
	uint32_t last = scales[scale % SCALES].stops - 1;
	unsigned at;

	if (!(tau > 0))
		return (stop[0]);
	if (tau >= 1)
		return (stop[last]);
	at = (unsigned)(tau * last * 256);
	return (between(stop[at >> 8], stop[(at >> 8) + 1], at & 255));
}

/* Light of a number of the screen (sRGB), 0 to 65535; straight from 8 to 8. */
static uint32_t
linear(uint32_t v)
{
	static const uint32_t at[34] = { 0, 159, 340, 599, 947, 1391, 1937,
		2592, 3360, 4247, 5257, 6395, 7666, 9072, 10619, 12309, 14146,
		16135, 18277, 20577, 23038, 25662, 28452, 31412, 34544, 37852,
		41337, 45002, 48850, 52884, 57105, 61517, 66121 };
	uint32_t i = v / 8, t = v % 8;

	return ((at[i] * (8 - t) + at[i + 1] * t) / 8);
}

static uint32_t
luminance(uint32_t rgb)
{
	return ((2126 * linear(rgb >> 16 & 255) +
		    7152 * linear(rgb >> 8 & 255) + 722 * linear(rgb & 255)) /
		10000);
}

#define GLARE 3277 /* 0.05, as WCAG has it */

static bool
is_light(const struct palette *p)
{
	return (luminance(p->background) > 32767);
}

uint32_t
palette_text_on(uint32_t rgb)
{
	uint64_t l = luminance(rgb) + GLARE;

	return (
	    l * l > (uint64_t)GLARE * (65535 + GLARE) ? 0x000000 : 0xffffff);
}

/* Darker or lighter, until it is so many hundredths from the ground. */
static uint32_t
apart_from(uint32_t on, bool light, uint32_t rgb, uint32_t ratio)
{
	uint32_t ground = luminance(on) + GLARE, most, least;

	most = light ? ground * 100 / ratio : 65535 + GLARE;
	least = light ? 0 : ground * ratio / 100;
	for (int i = 0; i < 32; i++) {
		uint32_t l = luminance(rgb) + GLARE;

		if (l >= least && l <= most)
			break;
		rgb = between(rgb, light ? 0x000000 : 0xffffff, 16);
	}
	return (rgb);
}

/* 3 : 1 and 4.5 : 1, and a little for what is rounded. */
uint32_t
palette_on(const struct palette *p, uint32_t rgb)
{
	return (apart_from(p->background, is_light(p), rgb, 301));
}

uint32_t
palette_ink(const struct palette *p, uint32_t rgb)
{
	return (apart_from(p->panel, is_light(p), rgb, 455));
}

uint32_t
palette_pe_on(const struct palette *p, unsigned pe)
{
	/* Tol's, the pale ones darker */
	static const uint32_t strong[12] = { 0x4477aa, 0xe0566b, 0x228833,
		0xa68c00, 0x1f97c9, 0xaa3377, 0xdd6411, 0x1f9483, 0x8a66c0,
		0x8c7a55, 0x8f4a1f, 0x6f7a1a };

	return (pe < 12 && is_light(p) ? strong[pe]
				       : palette_on(p, palette_pe(pe)));
}

/* Where the sequential scales come too near to the ground. */
#define DARKEST_ON_DARK   0.35
#define LIGHTEST_ON_LIGHT 0.60

uint32_t
palette_scale_on(const struct palette *p, enum palette_scale scale, double tau)
{
	bool light = is_light(p);

	tau = tau > 0 ? tau : 0;
	tau = tau < 1 ? tau : 1;
	if (scale != SCALE_SPECTRUM)
		tau = light ? tau * LIGHTEST_ON_LIGHT
			    : DARKEST_ON_DARK + tau * (1 - DARKEST_ON_DARK);
	return (palette_on(p, palette_scale(scale, tau)));
}

/* Light adds up in squares (gamma 2), not in the numbers of the screen. */
uint32_t
palette_mix(uint32_t a, uint32_t b, unsigned b_255)
{
	uint32_t out = 0, x, y, v, r;

	for (int shift = 0; shift < 24; shift += 8) {
		x = a >> shift & 255;
		y = b >> shift & 255;
		v = (x * x * (255 - b_255) + y * y * b_255 + 127) / 255;
		for (r = x < y ? x : y; r < 255 && (r + 1) * (r + 1) <= v;)
			r++;
		if (r < 255 && (r + 1) * (r + 1) - v < v - r * r)
			r++;
		out |= r << shift;
	}
	return (out);
}

uint32_t
palette_area(const struct palette *p, uint32_t rgb)
{
	return (palette_mix(p->panel, rgb, 130));
}

/* On white a colour must be stronger than on black to be as far from it. */
#define FAINT_ON_DARK  60
#define FAINT_ON_LIGHT 130

uint32_t
palette_faint(const struct palette *p, uint32_t rgb)
{
	return (palette_mix(p->background, rgb,
	    is_light(p) ? FAINT_ON_LIGHT : FAINT_ON_DARK));
}
