#include "picture.h"

#include "hone_results.h"
#include "text_file.h"
#include "tool_output.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST_NAME = 64, LONGEST_PATH = 4096, MOST_SECONDS = 120, MOST_BYTES = 1 << 28 };

static const char *const browsers[] = {"chromium", "chromium-browser", "google-chrome",
                                       "google-chrome-stable", NULL};

struct workdir { /* a folder for what is on its way */
  char folder[LONGEST_PATH];
  const char *browser; /* NULL: there is none */
};

/* ---- A folder ---- */

static bool open_workdir(struct workdir *workdir)
{
  const char *given = getenv("TMPDIR"), *parent = given && *given == '/' ? given : "/tmp";

  if (strlen(parent) > sizeof workdir->folder - LONGEST_NAME) parent = "/tmp";
  snprintf(workdir->folder, sizeof workdir->folder, "%s/hone-report-XXXXXX", parent);
  if (mkdtemp(workdir->folder)) return true;
  message_error("cannot create a folder in '%s': %s", parent, strerror(errno));
  return false;
}

static int remove_one(const char *path, const struct stat *state, int kind, struct FTW *where)
{
  (void)state, (void)kind, (void)where;
  return remove(path);
}

static void close_workdir(const struct workdir *workdir)
{
  nftw(workdir->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static char *path_in(const struct workdir *workdir, const char *before, const char *name)
{
  char *path = check_memory(malloc(strlen(before) + strlen(workdir->folder) + strlen(name) + 2));

  sprintf(path, "%s%s/%s", before, workdir->folder, name);
  return path;
}

static bool write_in(const struct workdir *workdir, const char *name, const char *text)
{
  char *path = path_in(workdir, "", name);
  bool is_written = text_file_write(path, text);

  free(path);
  return is_written;
}

/* ---- Other programs ---- */

static bool has_program(const char *name)
{
  const char *const words[] = {name, "--version", NULL};
  char *text = NULL;
  bool is_there = tool_output(words, &text);

  free(text);
  return is_there;
}

static const char *find_browser(void)
{
  for (const char *const *name = browsers; *name; name++)
    if (has_program(*name)) return *name;
  return NULL;
}

/* What it prints. A file of ours, which asks for nothing, needs no sandbox, and root has none. */
static bool browse(const struct workdir *workdir, const char *file, const char *const options[3],
                   char **out_text)
{
  char *url = path_in(workdir, "file://", file),
       *data = path_in(workdir, "--user-data-dir=", "data");
  const char *words[16] = {
      workdir->browser,    "--headless",     "--no-sandbox",         "--disable-gpu",
      "--hide-scrollbars", "--no-first-run", "--disable-extensions", data};
  size_t count = 8;
  bool is_good;

  for (size_t i = 0; i < 3 && options[i]; i++)
    words[count++] = options[i];
  words[count] = url;
  is_good = tool_output_within(words, MOST_SECONDS, MOST_BYTES, out_text);
  free(url);
  free(data);
  return is_good;
}

/* The page after its script. */
static char *draw_page(const struct workdir *workdir, const char *page)
{
  const char *const options[3] = {"--window-size=1240,900", "--dump-dom", NULL};
  char *drawn = NULL;

  if (!write_in(workdir, "page.html", page)) return NULL;
  if (!browse(workdir, "page.html", options, &drawn))
    message_error("'%s' could not draw the page", workdir->browser);
  return drawn;
}

/* ---- SVG ---- */

static enum exit_code print_names(const struct workdir *workdir, const char *page)
{
  char *drawn = workdir->browser ? draw_page(workdir, page) : NULL;
  char *names = hone_page_pictures(drawn ? drawn : page);
  bool is_printed = text_file_print(NULL, names);

  if (!workdir->browser) message_note("a browser draws more of them: install chromium");
  hone_free(names);
  free(drawn);
  return is_printed ? CLI_DONE : CLI_FAILED;
}

static void complain_of_name(const struct workdir *workdir, const char *name, const char *drawn)
{
  char *names = hone_page_pictures(drawn);

  if (!workdir->browser) {
    message_error("this page has no chart '%s' without a browser, which draws most of them: "
                  "install chromium",
                  name);
    if (*names) message_line("without one there are:\n%s", names);
  } else {
    message_error("there is no chart '%s'; these are:", name);
    for (char *line = strtok(names, "\n"); line; line = strtok(NULL, "\n"))
      message_line("  %s", line);
  }
  hone_free(names);
}

/* What is in the page needs no browser. */
static char *make_svg(const struct workdir *workdir, const char *page, const char *name)
{
  char *svg = NULL, *drawn = NULL;
  hone_status status = hone_page_picture(page, name, &svg);

  if (status && workdir->browser && (drawn = draw_page(workdir, page)) != NULL) {
    hone_status_free(status);
    status = hone_page_picture(drawn, name, &svg);
  }
  if (status && (drawn || !workdir->browser)) complain_of_name(workdir, name, drawn ? drawn : page);
  hone_status_free(status);
  free(drawn);
  return svg;
}

/* ---- PNG and PDF ---- */

/* A page that is as large as the picture. */
static char *wrap(const char *svg, double *out_width, double *out_height)
{
  static const char format[] =
      "<!DOCTYPE html><meta charset=\"utf-8\"><style>@page{size:%gpx %gpx;margin:0}body{margin:0}"
      "svg{display:block}</style>\n%s";
  const char *size = strstr(svg, " width=\"");
  char *html = check_memory(malloc(strlen(svg) + sizeof format + 64));

  *out_width = *out_height = 800;
  if (size) sscanf(size, " width=\"%lf\" height=\"%lf\"", out_width, out_height);
  sprintf(html, format, *out_width, *out_height + 1, svg);
  return html;
}

static bool convert_by_rsvg(const struct workdir *workdir, const char *svg,
                            enum picture_format format, const char *part)
{
  char *file = path_in(workdir, "", "picture.svg"), *text = NULL;
  const char *const words[] = {"rsvg-convert",
                               "--format",
                               format == PICTURE_PNG ? "png" : "pdf",
                               "--zoom",
                               format == PICTURE_PNG ? "2" : "1",
                               "--output",
                               part,
                               file,
                               NULL};
  bool is_good = write_in(workdir, "picture.svg", svg) &&
                 tool_output_within(words, MOST_SECONDS, MOST_BYTES, &text);

  free(text);
  free(file);
  return is_good;
}

static bool convert_by_browser(const struct workdir *workdir, const char *html, double width,
                               double height, enum picture_format format, const char *part)
{
  char size[64], *text = NULL, *to = check_memory(malloc(strlen(part) + LONGEST_NAME));
  const char *const options[3] = {to, format == PICTURE_PNG ? size : "--no-pdf-header-footer",
                                  format == PICTURE_PNG ? "--force-device-scale-factor=2"
                                                        : "--print-to-pdf-no-header"};
  bool is_good;

  snprintf(size, sizeof size, "--window-size=%.0f,%.0f", width, height);
  sprintf(to, "%s=%s", format == PICTURE_PNG ? "--screenshot" : "--print-to-pdf", part);
  is_good =
      write_in(workdir, "picture.html", html) && browse(workdir, "picture.html", options, &text);
  free(text);
  free(to);
  return is_good;
}

static bool convert(const struct workdir *workdir, const char *svg, enum picture_format format,
                    const char *part)
{
  double width, height;
  char *html;
  bool is_good;

  if (has_program("rsvg-convert")) return convert_by_rsvg(workdir, svg, format, part);
  html = wrap(svg, &width, &height);
  is_good = convert_by_browser(workdir, html, width, height, format, part);
  free(html);
  return is_good;
}

static bool copy_bytes(int from, int to)
{
  char bytes[1 << 16];
  bool is_empty = true;
  ssize_t got;

  while ((got = read(from, bytes, sizeof bytes)) > 0) {
    is_empty = false;
    if (!text_file_put(to, bytes, (size_t)got)) return false;
  }
  if (got == 0 && is_empty) errno = ENODATA;
  return got == 0 && !is_empty;
}

/* Beside its place first: it is there as a whole or not at all. */
static bool move_to(const char *from, const char *output)
{
  char *part = check_memory(malloc(strlen(output) + LONGEST_NAME));
  int in = open(from, O_RDONLY | O_CLOEXEC), out;
  bool is_good;

  sprintf(part, "%s.%ld.part", output, (long)getpid());
  out = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  is_good = in >= 0 && out >= 0 && copy_bytes(in, out);
  if (out >= 0 && close(out) != 0) is_good = false;
  if (in >= 0) close(in);
  is_good = is_good && rename(part, output) == 0;
  if (!is_good) {
    message_error("cannot write '%s': %s", output, strerror(errno));
    unlink(part);
  }
  free(part);
  return is_good;
}

static bool write_converted(const struct workdir *workdir, const char *text,
                            const struct picture_request *request)
{
  bool is_page = strcmp(request->name, "page") == 0;
  char *made = path_in(workdir, "", request->format == PICTURE_PNG ? "made.png" : "made.pdf");
  bool by_rsvg = !is_page && has_program("rsvg-convert");
  bool is_good = is_page ? convert_by_browser(workdir, text, 0, 0, PICTURE_PDF, made)
                         : convert(workdir, text, request->format, made);

  if (!is_good)
    message_error("'%s' could not be made: %s failed", request->output,
                  by_rsvg ? "rsvg-convert" : workdir->browser);
  is_good = is_good && move_to(made, request->output);
  if (is_good) message_note("wrote '%s'", request->output);
  free(made);
  return is_good;
}

static bool can_convert(const struct workdir *workdir, const struct picture_request *request)
{
  bool is_page = strcmp(request->name, "page") == 0;

  if (request->format == PICTURE_SVG || workdir->browser) return true;
  if (!is_page && has_program("rsvg-convert")) return true;
  message_error(is_page ? "a page needs a browser to become a PDF: install chromium"
                        : "PNG and PDF are made by another program: install rsvg-convert "
                          "(librsvg2-bin) or chromium");
  return false;
}

/* ---- The whole ---- */

static enum exit_code write_picture(const struct workdir *workdir,
                                    const struct picture_request *request, const char *page)
{
  bool is_page = request->format == PICTURE_PDF && strcmp(request->name, "page") == 0, is_good;
  char *svg;

  if (!can_convert(workdir, request)) return CLI_FAILED;
  if (is_page) return write_converted(workdir, page, request) ? CLI_DONE : CLI_FAILED;
  svg = make_svg(workdir, page, request->name);
  if (!svg) return CLI_FAILED;
  if (request->format != PICTURE_SVG)
    is_good = write_converted(workdir, svg, request);
  else
    is_good = text_file_print(request->output, svg);
  if (is_good && request->format == PICTURE_SVG && request->output &&
      strcmp(request->output, "-") != 0)
    message_note("wrote '%s'", request->output);
  hone_free(svg);
  return is_good ? CLI_DONE : CLI_FAILED;
}

enum exit_code picture_make(const struct picture_request *request, const char *page)
{
  struct workdir workdir = {.browser = find_browser()};
  enum exit_code code;

  if (!open_workdir(&workdir)) return CLI_FAILED;
  if (strcmp(request->name, "list") == 0)
    code = print_names(&workdir, page);
  else
    code = write_picture(&workdir, request, page);
  close_workdir(&workdir);
  return code;
}
