/*
 * A view with its own drawing: events of each class in the viewer's range, over
 * time; the higher, the more.  Buttons make slices of time shorter and longer.
 *
 *	cc -shared -fPIC -o pulse.so pulse.c
 *	viewer --plugin pulse.so --view pulse run.orr
 */
#include <orrery-plugin.h>
#include <string.h>

#define CLASSES 16
#define SLICES  64
#define MOST    ((size_t)1 << 22) /* events that are kept */

static struct {
	int64_t t_ns;
	int class;
} seen[MOST];
static size_t nseen;
static char class_name[CLASSES][32];
static int slices = 24;

static void
event(void *self, const struct orrery_event *e)
{
	int i = 0;

	(void)self;
	while (i < CLASSES - 1 && class_name[i][0] != '\0' &&
	       strcmp(class_name[i], e->kind_class) != 0)
		i++;
	strncpy(class_name[i], e->kind_class, 31);
	if (nseen < MOST) {
		seen[nseen].t_ns = e->t_ns;
		seen[nseen++].class = i;
	}
}

static void
draw(void *self, const struct orrery_view *v, struct orrery_pen *pen)
{
	unsigned count[CLASSES][SLICES] = { { 0 } }, most, sum;
	double slice_ns = (double)(v->t1_ns - v->t0_ns + 1) / slices;
	int32_t w = (v->width - 190) / slices, h = 24, y = 4;

	(void)self;
	for (size_t i = 0; i < nseen; i++)
		if (seen[i].t_ns >= v->t0_ns && seen[i].t_ns <= v->t1_ns)
			count[seen[i].class]
			     [(int)((seen[i].t_ns - v->t0_ns) / slice_ns)]++;
	for (int c = 0; c < CLASSES && class_name[c][0] != '\0'; c++, y += h) {
		most = sum = 0;
		for (int s = 0; s < slices; s++) {
			most = count[c][s] > most ? count[c][s] : most;
			sum += count[c][s];
		}
		pen->text(pen, 0, y + 14, ORRERY_TEXT, "%s", class_name[c]);
		pen->text_right(pen, 100, y + 14, ORRERY_DIM, "%u", sum);
		pen->say(pen, "  %s: %u", class_name[c], sum);
		for (int s = 0; s < slices && sum > 0; s++)
			pen->rect(pen, 108 + s * w,
			    y + 20 - (int32_t)(count[c][s] * 20 / most),
			    w - (w > 2), (int32_t)(count[c][s] * 20 / most),
			    ORRERY_HUE + c);
	}
	pen->button(pen, v->width - 70, 4, 66, 18, "finer");
	pen->button(pen, v->width - 70, 26, 66, 18, "coarser");
}

static void
said(void *self, const char *word)
{
	(void)self;
	slices = strcmp(word, "finer") == 0 ? SLICES : SLICES / 4;
}

const struct orrery_plugin orrery_plugin = { ORRERY_PLUGIN_API, "Pulse",
	"how many events of each class there are over time", NULL, event, draw,
	NULL, NULL, said };
