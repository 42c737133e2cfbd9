/*
 * grab WINDOW PICTURE.png: how many pixels of a window, as the X server has
 * it, differ from a picture.  Prints the number; exit 0 when it is 0, 1 when
 * it is not, 2 when they cannot be compared.
 *
 * grab -c WINDOW: asks the window to close, as a window manager does.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <png.h>

static int
ask_close(const char *window)
{
	Display *d = XOpenDisplay(NULL);
	XEvent e = { .xclient = { .type = ClientMessage, .format = 32 } };

	if (d == NULL)
		return (2);
	e.xclient.window = (Window)strtoul(window, NULL, 0);
	e.xclient.message_type = XInternAtom(d, "WM_PROTOCOLS", False);
	e.xclient.data.l[0] = (long)XInternAtom(d, "WM_DELETE_WINDOW", False);
	XSendEvent(d, e.xclient.window, False, NoEventMask, &e);
	XCloseDisplay(d);
	return (0);
}

int
main(int argc, char **argv)
{
	png_image png = { .version = PNG_IMAGE_VERSION };
	XWindowAttributes attr;
	unsigned char *px;
	Display *d;
	Window w;
	XImage *image;
	long different = 0;

	if (argc == 3 && strcmp(argv[1], "-c") == 0)
		return (ask_close(argv[2]));
	if (argc != 3 || (d = XOpenDisplay(NULL)) == NULL) {
		fprintf(stderr, "usage: grab WINDOW PICTURE.png\n");
		return (2);
	}
	w = (Window)strtoul(argv[1], NULL, 0);
	if (!png_image_begin_read_from_file(&png, argv[2]) ||
	    !XGetWindowAttributes(d, w, &attr))
		return (2);
	png.format = PNG_FORMAT_RGB;
	px = malloc(PNG_IMAGE_SIZE(png));
	if (px == NULL || !png_image_finish_read(&png, NULL, px, 0, NULL))
		return (2);
	if ((int)png.width != attr.width || (int)png.height != attr.height) {
		printf("sizes differ: window %dx%d, picture %ux%u\n",
		    attr.width, attr.height, png.width, png.height);
		return (2);
	}
	image =
	    XGetImage(d, w, 0, 0, png.width, png.height, AllPlanes, ZPixmap);
	if (image == NULL)
		return (2);
	for (unsigned y = 0; y < png.height; y++) {
		for (unsigned x = 0; x < png.width; x++) {
			const unsigned char *p = px + 3 * (y * png.width + x);
			unsigned long want = (unsigned long)p[0] << 16 |
					     (unsigned long)p[1] << 8 | p[2];

			different += (XGetPixel(image, (int)x, (int)y) &
					 0xffffff) != want;
		}
	}
	printf("%ld\n", different);
	XDestroyImage(image);
	free(px);
	XCloseDisplay(d);
	return (different == 0 ? 0 : 1);
}
