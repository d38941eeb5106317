/* One process, one loop: libevent's HTTP server answers, and a timer compares what the store has
 * now with what was sent last. Nothing of a request reaches the store but the question for the
 * page: every other path, and every other method than GET, is refused.
 *
 * Without a token, the server answers only requests to a name of this host (a page of another site
 * could let its own name point here).
 */
#include "report/live.h"

#include "base/allocators.h"
#include "base/options_size.h"
#include "base/status.h"
#include "base/text.h"
#include "report/live_page.h"

#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <sys/random.h>

enum { TICK_MS = 200, LOOK_EVERY = 5, LAST_TICKS = 20, TOKEN_BYTES = 16 };

struct listener { /* a browser that waits for events */
  struct evhttp_request *request;
  struct listener *next;
};

struct live {
  struct hone_live_options options;
  struct hone_store *store;
  struct event_base *base;
  struct evhttp *http;
  struct event *tick;
  struct listener *listeners;
  uint64_t ticks;
  char host[128], token[2 * TOKEN_BYTES + 1]; /* the token: "" on loopback */
  uint16_t port;
  bool is_loopback;
  char *seen;      /* the state that listeners know */
  size_t due;      /* listeners that have not asked for the page since they were told of it */
  unsigned ending; /* ticks since there was nothing more to follow */
};

void hone_live_options_fill(struct hone_live_options *options, size_t size)
{
  static const struct hone_live_options defaults = {.address = "127.0.0.1:0"};

  hone__options_fill(options, size, &defaults, sizeof defaults);
}

/* ---- The address ---- */

/* "127.0.0.1:8080", "[::1]:0", ":8080", "8080" */
static hone_status read_address(struct live *live)
{
  const char *text = live->options.address, *colon = strrchr(text, ':'), *begin = text;
  const char *digits = colon ? colon + 1 : text;
  size_t length = colon ? (size_t)(colon - text) : 0;
  char *end;
  unsigned long port = strtoul(digits, &end, 10);

  if (*end || end == digits || port > 65535 || length >= sizeof live->host)
    return hone__error(HONE_INVALID_ARGUMENT, "'%s' is not an address such as 127.0.0.1:8080",
                       text);
  if (length > 1 && begin[0] == '[' && begin[length - 1] == ']') {
    begin++;
    length -= 2;
  }
  snprintf(live->host, sizeof live->host, "%.*s", length ? (int)length : 9,
           length ? begin : "127.0.0.1");
  live->port = (uint16_t)port;
  return NULL;
}

/* A name such as 127.example.org may belong to anyone. */
static bool is_loopback(const char *host)
{
  struct in_addr address;

  if (strcmp(host, "localhost") == 0 || strcmp(host, "::1") == 0) return true;
  return inet_pton(AF_INET, host, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

static hone_status make_token(struct live *live)
{
  unsigned char bytes[TOKEN_BYTES];

  live->is_loopback = is_loopback(live->host);
  if (live->is_loopback) return NULL;
  if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
    return hone__error(HONE_IO, "no random numbers for a token");
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(live->token + 2 * i, 3, "%02x", bytes[i]);
  return NULL;
}

/* ---- Who may ask ---- */

/* As long for a wrong token as for the right one. */
static bool is_same_token(const char *a, const char *b)
{
  unsigned char difference = strlen(a) != strlen(b);

  for (size_t i = 0; !difference && a[i]; i++)
    difference = (unsigned char)(difference | (a[i] ^ b[i]));
  return !difference;
}

static bool has_token(const struct live *live, struct evhttp_request *request)
{
  const char *query = evhttp_uri_get_query(evhttp_request_get_evhttp_uri(request));
  struct evkeyvalq words;
  bool is_right = false;

  if (evhttp_parse_query_str(query ? query : "", &words) != 0) return false;
  if (evhttp_find_header(&words, "token"))
    is_right = is_same_token(evhttp_find_header(&words, "token"), live->token);
  evhttp_clear_headers(&words);
  return is_right;
}

static bool is_for_this_host(struct evhttp_request *request)
{
  const char *host = evhttp_find_header(evhttp_request_get_input_headers(request), "Host");
  char name[128];
  size_t length = 0;

  if (!host) return false;
  if (host[0] == '[')
    length = strcspn(++host, "]");
  else
    length = strcspn(host, ":");
  snprintf(name, sizeof name, "%.*s", (int)length, host);
  return is_loopback(name);
}

static bool may_ask(const struct live *live, struct evhttp_request *request)
{
  return *live->token ? has_token(live, request) : is_for_this_host(request);
}

/* ---- Answers ---- */

static void add_header(struct evhttp_request *request, const char *name, const char *value)
{
  evhttp_add_header(evhttp_request_get_output_headers(request), name, value);
}

static void send_text(struct evhttp_request *request, int code, const char *reason,
                      const char *type, const char *text)
{
  struct evbuffer *body = evbuffer_new();

  add_header(request, "Content-Type", type);
  add_header(request, "Cache-Control", "no-store");
  add_header(request, "X-Content-Type-Options", "nosniff");
  add_header(request, "Referrer-Policy", "no-referrer");
  if (body) evbuffer_add(body, text, strlen(text));
  evhttp_send_reply(request, code, reason, body);
  if (body) evbuffer_free(body);
}

static void refuse(struct evhttp_request *request, int code, const char *reason)
{
  send_text(request, code, reason, "text/plain; charset=utf-8", reason);
}

static void send_page(struct live *live, struct evhttp_request *request)
{
  char *html = NULL;
  hone_status status = hone__live_page(live->store, live->options.run, &html);

  if (live->due) live->due--;
  if (status)
    refuse(request, 500, hone_status_message(status));
  else
    send_text(request, 200, "OK", "text/html; charset=utf-8", html);
  hone_status_free(status);
  free(html);
}

/* ---- Events ---- */

static void send_event(struct evhttp_request *request, const char *state)
{
  struct evbuffer *event = evbuffer_new();

  if (!event) return;
  evbuffer_add_printf(event, "data: %s\n\n", state);
  evhttp_send_reply_chunk(request, event);
  evbuffer_free(event);
}

struct leaving {
  struct live *live;
  struct evhttp_request *request;
};

static void forget(struct live *live, struct evhttp_request *request)
{
  for (struct listener **at = &live->listeners; *at; at = &(*at)->next) {
    struct listener *gone = *at;
    if (gone->request != request) continue;
    *at = gone->next;
    free(gone);
    return;
  }
}

static void on_leave(struct evhttp_connection *connection, void *data)
{
  struct leaving *leaving = data;

  evhttp_connection_set_closecb(connection, NULL, NULL);
  forget(leaving->live, leaving->request);
  /* A request whose connection broke is no longer the server's: its end frees it. */
  if (!evhttp_request_get_connection(leaving->request)) evhttp_send_reply_end(leaving->request);
  free(leaving);
}

static void begin_events(struct live *live, struct evhttp_request *request)
{
  struct listener *listener = hone__alloc(sizeof *listener);
  struct leaving *leaving = hone__alloc(sizeof *leaving);

  *leaving = (struct leaving){live, request};
  *listener = (struct listener){request, live->listeners};
  live->listeners = listener;
  add_header(request, "Content-Type", "text/event-stream");
  add_header(request, "Cache-Control", "no-store");
  evhttp_connection_set_closecb(evhttp_request_get_connection(request), on_leave, leaving);
  evhttp_send_reply_start(request, 200, "OK");
  if (live->seen) send_event(request, live->seen);
}

static void tell_all(struct live *live)
{
  live->due = 0;
  for (struct listener *listener = live->listeners, *next; listener; listener = next) {
    next = listener->next;
    send_event(listener->request, live->seen);
    live->due++;
  }
}

/* ---- The loop ---- */

static void answer(struct evhttp_request *request, void *data)
{
  struct live *live = data;
  const char *path = evhttp_uri_get_path(evhttp_request_get_evhttp_uri(request));

  if (!may_ask(live, request))
    refuse(request, 403, "Forbidden");
  else if (!path || !*path || strcmp(path, "/") == 0)
    send_page(live, request);
  else if (strcmp(path, "/events") == 0)
    begin_events(live, request);
  else
    refuse(request, 404, "Not Found");
}

/* Before the first run there may be no store. */
static void open_store(struct live *live)
{
  if (!live->store) hone_status_free(hone_store_open(live->options.store, &live->store));
}

static void look(struct live *live)
{
  char *state;

  open_store(live);
  state = hone__live_state(live->store, live->options.run);

  if (live->seen && strcmp(live->seen, state) == 0) {
    free(state);
    return;
  }
  free(live->seen);
  live->seen = state;
  tell_all(live);
}

/* Browsers are told of the end, and have a moment to ask for the last page. */
static void end_slowly(struct live *live)
{
  if (!live->ending++) look(live);
  if (!live->due || !live->listeners || live->ending > LAST_TICKS) event_base_loopbreak(live->base);
}

static void on_tick(evutil_socket_t socket, short what, void *data)
{
  struct live *live = data;

  (void)socket;
  (void)what;
  if (live->options.goes_on && !live->options.goes_on(live->options.data))
    end_slowly(live);
  else if (live->ticks++ % LOOK_EVERY == 0)
    look(live);
}

static uint16_t bound_port(struct evhttp_bound_socket *bound)
{
  struct sockaddr_storage address;
  socklen_t size = sizeof address;

  if (getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr *)&address, &size) != 0)
    return 0;
  return ntohs(address.ss_family == AF_INET6 ? ((struct sockaddr_in6 *)&address)->sin6_port
                                             : ((struct sockaddr_in *)&address)->sin_port);
}

static void tell_address(const struct live *live)
{
  bool has_colons = strchr(live->host, ':');
  struct hone__text url = {0};

  hone__text_addf(&url, "http://%s%s%s:%u/%s%s", has_colons ? "[" : "", live->host,
                  has_colons ? "]" : "", live->port, *live->token ? "?token=" : "", live->token);
  if (live->options.ready) live->options.ready(live->options.data, url.data);
  hone__text_release(&url);
}

static hone_status open_server(struct live *live)
{
  struct timeval tick = {.tv_usec = TICK_MS * 1000};
  struct evhttp_bound_socket *bound = NULL;

  live->base = event_base_new();
  live->http = live->base ? evhttp_new(live->base) : NULL;
  live->tick = live->base ? event_new(live->base, -1, EV_PERSIST, on_tick, live) : NULL;
  if (!live->http || !live->tick) return hone__error(HONE_IO, "cannot make a server");
  evhttp_set_allowed_methods(live->http, EVHTTP_REQ_GET);
  evhttp_set_max_headers_size(live->http, 16 << 10);
  evhttp_set_max_body_size(live->http, 0);
  evhttp_set_gencb(live->http, answer, live);
  bound = evhttp_bind_socket_with_handle(live->http, live->host, live->port);
  if (!bound)
    return hone__error(HONE_IO, "cannot listen at '%s' port %u: %s", live->host, live->port,
                       evutil_socket_error_to_string(EVUTIL_SOCKET_ERROR()));
  live->port = bound_port(bound);
  event_add(live->tick, &tick);
  return NULL;
}

static void close_server(struct live *live)
{
  for (struct listener *listener = live->listeners, *next; listener; listener = next) {
    next = listener->next;
    free(listener);
  }
  live->listeners = NULL;
  if (live->tick) event_free(live->tick);
  if (live->http) evhttp_free(live->http);
  if (live->base) event_base_free(live->base);
  hone_store_free(live->store);
  free(live->seen);
}

hone_status hone_live_serve(const struct hone_live_options *options)
{
  struct live live = {.ticks = 0};
  hone_status status;

  hone__allocators_install();
  hone_live_options_init(&live.options);
  status = hone__options_take(&live.options, sizeof live.options, options, "hone_live_options");
  if (!status) status = read_address(&live);
  if (!status) status = make_token(&live);
  if (!status) status = open_server(&live);
  if (!status) {
    tell_address(&live);
    event_base_dispatch(live.base);
  }
  close_server(&live);
  return status;
}
