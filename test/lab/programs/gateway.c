/*
 * A server on a Unix socket that forks for each connection and copies the request onto its stack without a limit.
 * Usage: gateway SOCKET [NAME...]   children take these names in turn; `%` in a name becomes a unique number.
 * Prints one line: the distance from the buffer to the saved frame pointer, and the start and end of its text.
 * A child responds with "ok" after it has returned from the copy.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "confine.h"

extern char __executable_start, etext;

static char request[4096];
static long frame_distance;

#ifdef FAILED_CHECK_TRAPS
/* Executes a privileged instruction instead of a message and an abort, as musl does. */
void __stack_chk_fail(void) { __asm__ volatile("hlt"); }
#endif

__attribute__((noinline)) static void handle(const char *from, size_t length) {
  char buffer[BUFFER_BYTES];
  frame_distance = (char *)__builtin_frame_address(0) - buffer;
  memcpy(buffer, from, length);
  __asm__ volatile("" : : "r"(buffer) : "memory");
}

static void rename_child(const char *pattern, unsigned count) {
  char name[16];
  const char *mark = strchr(pattern, '%');
  if (mark == NULL)
    snprintf(name, sizeof name, "%s", pattern);
  else
    snprintf(name, sizeof name, "%.*s%u%s", (int)(mark - pattern), pattern, count, mark + 1);
  prctl(PR_SET_NAME, name);
}

static int listen_on(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  int listener = socket(AF_UNIX, SOCK_STREAM, 0);
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  if (listener < 0 || bind(listener, (struct sockaddr *)&address, sizeof address) != 0) return -1;
  if (chmod(path, 0777) != 0 || listen(listener, 64) != 0) return -1;
  return listener;
}

int main(int argc, char **argv) {
  int listener = argc < 2 ? -1 : listen_on(argv[1]);
  if (listener < 0) {
    perror("gateway: cannot listen");
    return 2;
  }
  confine();
  signal(SIGCHLD, SIG_IGN);
  handle("", 0);
  printf("%ld %p %p\n", frame_distance, (void *)&__executable_start, (void *)&etext);
  fflush(stdout);
  for (unsigned count = 0;; count++) {
    int client = accept(listener, NULL, NULL);
    if (client < 0) {
      if (errno == EINTR) continue;
      return 1;
    }
    if (fork() == 0) {
      close(listener);
      /* A jump to a random address may never end. */
      alarm(1);
      if (argc > 2) rename_child(argv[2 + count % (unsigned)(argc - 2)], count);
      ssize_t length = read(client, request, sizeof request);
      if (length < 0) _exit(0);
      handle(request, (size_t)length);
      if (write(client, "ok", 2) != 2) _exit(0);
      _exit(0);
    }
    close(client);
  }
}
