/* Who may ask the live server: requests over a socket to a server in a thread of this process. */
#include "hone_results.h"

#include "base/status.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

struct server {
  struct hone_live_options options;
  pthread_t thread;
  sem_t ready;
  atomic_bool is_ending;
  char url[256];
  hone_status status;
};

static bool goes_on(void *data)
{
  return !((struct server *)data)->is_ending;
}

static void on_ready(void *data, const char *url)
{
  struct server *server = data;

  snprintf(server->url, sizeof server->url, "%s", url);
  sem_post(&server->ready);
}

static void *serve(void *data)
{
  struct server *server = data;

  server->status = hone_live_serve(&server->options);
  sem_post(&server->ready);
  return NULL;
}

static void begin(struct server *server, const char *address)
{
  hone_live_options_init(&server->options);
  server->options.address = address;
  server->options.store = "/nonexistent/store.db";
  server->options.goes_on = goes_on;
  server->options.ready = on_ready;
  server->options.data = server;
  sem_init(&server->ready, 0, 0);
  assert_int_equal(pthread_create(&server->thread, NULL, serve, server), 0);
  sem_wait(&server->ready);
}

static void end(struct server *server)
{
  server->is_ending = true;
  pthread_join(server->thread, NULL);
  assert_null(server->status);
  sem_destroy(&server->ready);
}

static int connect_to(const struct server *server)
{
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  struct timeval patience = {.tv_sec = 20};
  int file = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

  to.sin_port = htons((uint16_t)strtoul(strrchr(server->url, ':') + 1, NULL, 10));
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  assert_int_equal(connect(file, (struct sockaddr *)&to, sizeof to), 0);
  return file;
}

/* The status code of the answer; `host` NULL: no such header. */
static int ask(const struct server *server, const char *method, const char *path, const char *host)
{
  int file = connect_to(server), code = 0;
  char text[512], answer[64] = "";
  int length = snprintf(text, sizeof text, "%s %s HTTP/1.1\r\n%s%s%sConnection: close\r\n\r\n",
                        method, path, host ? "Host: " : "", host ? host : "", host ? "\r\n" : "");

  assert_int_equal(write(file, text, (size_t)length), length);
  assert_true(read(file, answer, sizeof answer - 1) > 0);
  assert_int_equal(sscanf(answer, "HTTP/1.1 %d", &code), 1);
  close(file);
  return code;
}

static void only_names_of_this_host_are_answered(void **state)
{
  static const char *const ours[] = {"localhost", "localhost:80", "127.0.0.1", "127.1.2.3:9",
                                     "[::1]:80"};
  static const char *const others[] = {"example.org",
                                       "127.example.org",
                                       "127.0.0.1.example.org",
                                       "localhost.org:80",
                                       "128.0.0.1",
                                       "[::2]",
                                       NULL};
  struct server server = {.url = ""};

  (void)state;
  begin(&server, "127.0.0.1:0");
  for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
    assert_int_equal(ask(&server, "GET", "/", ours[i]), 200);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    assert_int_equal(ask(&server, "GET", "/", others[i]), 403);
  end(&server);
}

static void only_the_page_is_answered(void **state)
{
  struct server server = {.url = ""};

  (void)state;
  begin(&server, ":0");
  assert_int_equal(strncmp(server.url, "http://127.0.0.1:", 17), 0);
  assert_int_equal(ask(&server, "GET", "/events", "localhost"), 200);
  assert_int_equal(ask(&server, "GET", "/store.db", "localhost"), 404);
  assert_int_not_equal(ask(&server, "POST", "/", "localhost"), 200);
  end(&server);
}

/* Every address: only who knows the token. */
static void other_addresses_have_a_token(void **state)
{
  struct server server = {.url = ""};
  char *token, path[128];

  (void)state;
  begin(&server, "0.0.0.0:0");
  token = strstr(server.url, "?token=");
  assert_non_null(token);
  assert_int_equal(strlen(token), sizeof "?token=" - 1 + 32);
  assert_int_equal(ask(&server, "GET", "/", "localhost"), 403);
  snprintf(path, sizeof path, "/%s0", token);
  assert_int_equal(ask(&server, "GET", path, "localhost"), 403);
  snprintf(path, sizeof path, "/%s", token);
  assert_int_equal(ask(&server, "GET", path, "example.org"), 200);
  path[strlen(path) - 1] ^= 1;
  assert_int_equal(ask(&server, "GET", path, "localhost"), 403);
  end(&server);
}

static void addresses_are_checked(void **state)
{
  static const char *const wrong[] = {"", "localhost", "127.0.0.1:", "127.0.0.1:65536",
                                      "127.0.0.1:8o"};
  struct hone_live_options options;

  (void)state;
  hone_live_options_init(&options);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    hone_status status;
    options.address = wrong[i];
    status = hone_live_serve(&options);
    assert_int_equal(hone_status_code(status), HONE_INVALID_ARGUMENT);
    hone_status_free(status);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_names_of_this_host_are_answered),
      cmocka_unit_test(only_the_page_is_answered),
      cmocka_unit_test(other_addresses_have_a_token),
      cmocka_unit_test(addresses_are_checked),
  };

  return cmocka_run_group_tests(tests, NULL, NULL);
}
