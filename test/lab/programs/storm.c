/*
 * A server whose workers crash one after the other. Usage: storm COUNT PER_SECOND. Each worker is a fork that writes to an
 * unmapped page. The program prints how many workers crashed.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

#include "confine.h"

static void wait_until(struct timespec at) {
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) != 0) continue;
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  long count = atol(argv[1]);
  long step = 1000000000L / atol(argv[2]);
  confine();
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  long died = 0;
  for (long i = 0; i < count; i++) {
    wait_until(next);
    next.tv_nsec += step;
    next.tv_sec += next.tv_nsec / 1000000000L;
    next.tv_nsec %= 1000000000L;
    pid_t worker = fork();
    if (worker == 0) {
      *(volatile int *)8 = 1;
      _exit(0);
    }
    int status = 0;
    if (worker > 0 && waitpid(worker, &status, 0) == worker && WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV) died++;
  }
  printf("%ld\n", died);
  return 0;
}
