/* Confines a program that is meant to crash, so that it does no harm wherever its instruction pointer ends up. */
#ifndef CONFINE_H
#define CONFINE_H

#include <grp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { NOBODY = 65534, MAX_PROCESSES = 200 };

static void limit(int resource, rlim_t value) {
  struct rlimit both = {value, value};
  if (setrlimit(resource, &both) != 0) _exit(3);
}

/* Forbids core files and file writes, drops privileges, limits the number of processes, and ends the process with its parent. */
static void confine(void) {
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  if (geteuid() == 0) {
    if (setgroups(0, NULL) != 0 || setgid(NOBODY) != 0 || setuid(NOBODY) != 0) _exit(3);
    limit(RLIMIT_NPROC, MAX_PROCESSES);
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
}

#endif
