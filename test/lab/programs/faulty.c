/*
 * Programs that end because of their environment: machine, sandbox, supervisor, or an update. Usage: faulty FAULT NUMBER [FILE].
 * The number is the program's input. No fault is an attack.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "confine.h"

extern char __executable_start, etext;
static volatile uint64_t sink;

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005ull + 1442695040888963407ull;
  return *state >> 33;
}

/* Work that calls several functions, so that it executes a damaged one. */
__attribute__((noinline)) static uint64_t mix(uint64_t a, uint64_t b) { return (a ^ (b << 7)) * 0x9e3779b97f4a7c15ull; }
__attribute__((noinline)) static uint64_t sum(const uint64_t *of, size_t count) {
  uint64_t total = 0;
  for (size_t i = 0; i < count; i++) total = mix(total, of[i]);
  return total;
}
__attribute__((noinline)) static size_t find(const char *text, char wanted) {
  size_t at = 0;
  while (text[at] != '\0' && text[at] != wanted) at++;
  return at;
}
__attribute__((noinline)) static void sort(uint64_t *values, size_t count) {
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && values[j - 1] > values[j]; j--) {
      uint64_t kept = values[j];
      values[j] = values[j - 1];
      values[j - 1] = kept;
    }
}
__attribute__((noinline)) static uint64_t table_of(uint64_t seed) {
  uint64_t values[64];
  char text[256];
  for (size_t i = 0; i < 64; i++) values[i] = next(&seed);
  sort(values, 64);
  int length = snprintf(text, sizeof text, "%llu %llu", (unsigned long long)values[0], (unsigned long long)sum(values, 64));
  char *copy = malloc((size_t)length + 1);
  memcpy(copy, text, (size_t)length + 1);
  uint64_t found = find(copy, ' ');
  free(copy);
  return found + sum(values, 32);
}

/* Faulty memory: some bits of the program's text differ from the file. */
static void flipped_bits(uint64_t seed) {
  uintptr_t page = (uintptr_t)&__executable_start & ~(uintptr_t)4095;
  uintptr_t functions = (uintptr_t)&mix, end = (uintptr_t)&flipped_bits;
  if (functions > end) { uintptr_t kept = functions; functions = end; end = kept; }
  if (mprotect((void *)page, ((uintptr_t)&etext - page + 4095) & ~(uintptr_t)4095, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) _exit(3);
  for (int i = 0; i < 12; i++) ((unsigned char *)functions)[next(&seed) % (end - functions)] ^= (unsigned char)(1u << next(&seed) % 8);
  __builtin___clear_cache((char *)functions, (char *)end);
  alarm(1);
  for (int i = 0; i < 1000; i++) sink += table_of(seed + (uint64_t)i);
}

/* A sandbox kills the program at a forbidden system call. */
static void forbidden_call(void) {
  struct sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getppid, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog filter = {sizeof program / sizeof *program, program};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) != 0) _exit(3);
  sink += (uint64_t)syscall(SYS_getppid);
}

/* A test under a debugger: the tracer writes a breakpoint into a function of the program and detaches. */
static void traced(uint64_t input) {
  pid_t child = fork();
  if (child == 0) {
    /* Makes the process traceable again, because a change of the user clears the flag. */
    prctl(PR_SET_DUMPABLE, 1);
    ptrace(PTRACE_TRACEME, 0, 0, 0);
    raise(SIGSTOP);
    sink += table_of(input);
    _exit(0);
  }
  waitpid(child, NULL, 0);
  uintptr_t at = (uintptr_t)(input % 2 == 0 ? (void *)&table_of : (void *)&sort);
  long word = ptrace(PTRACE_PEEKTEXT, child, (void *)at, 0);
  ptrace(PTRACE_POKETEXT, child, (void *)at, (void *)((word & ~0xffl) | 0xcc));
  ptrace(PTRACE_DETACH, child, 0, 0);
  waitpid(child, NULL, 0);
}

/* A supervisor aborts workers that do not respond: they sleep, compute or wait for a pipe. */
static void stuck_workers(uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    pid_t worker = fork();
    if (worker == 0) {
      char byte;
      int ends[2];
      if (i % 3 == 0) for (;;) pause();
      if (i % 3 == 1 && pipe(ends) == 0) sink += (uint64_t)read(ends[0], &byte, 1);
      for (;;) sink += table_of(i);
    }
    usleep(60000 + (useconds_t)(mix(i, count) % 90000));
    kill(worker, SIGABRT);
    waitpid(worker, NULL, 0);
  }
}

/* A parent with children of several kinds, as in a browser. Each kind has a name, and one kind has a fault. */
static void family(uint64_t count) {
  static const char *const kinds[] = {"renderer", "gpu-process", "utility", "zygote", "network"};
  for (uint64_t i = 0; i < count; i++) {
    if (fork() == 0) {
      char name[16];
      snprintf(name, sizeof name, "lab-%s", kinds[i % 5]);
      prctl(PR_SET_NAME, name);
      sink += table_of(i);
      volatile uint64_t *missing = (uint64_t *)(uintptr_t)(i % 3 * 8);
      sink += *missing;
    }
    wait(NULL);
    usleep(50000);
  }
}

/* An update in another process, which is not confined: overwrites the code of the library on request. */
static void overwrite_when_asked(const char *library, uint64_t input, int asked, int done) {
  char byte, page[4096];
  int file = open(library, O_WRONLY);
  if (file < 0 || read(asked, &byte, 1) != 1) _exit(4);
  for (size_t i = 0; i < sizeof page; i++) page[i] = (char)next(&input);
  if (pwrite(file, page, sizeof page, 4096) != sizeof page) _exit(5);
  if (write(done, "!", 1) != 1) _exit(6);
  _exit(0);
}

/* A library is overwritten in place while the program uses it. */
static void replaced_library(const char *library, uint64_t input) {
  int ask[2], answer[2];
  char byte;
  if (pipe(ask) != 0 || pipe(answer) != 0) _exit(3);
  if (fork() == 0) overwrite_when_asked(library, input, ask[0], answer[1]);
  confine();
  void *handle = dlopen(library, RTLD_NOW);
  uint64_t (*work)(uint64_t) = handle == NULL ? NULL : (uint64_t(*)(uint64_t))dlsym(handle, "work");
  if (work == NULL) _exit(3);
  sink += work(input);
  if (write(ask[1], "?", 1) != 1 || read(answer[0], &byte, 1) != 1) _exit(3);
  alarm(1);
  sink += work(input);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *fault = argv[1];
  uint64_t input = strtoull(argv[2], NULL, 10);
  if (freopen("/dev/null", "w", stderr) == NULL) return 3;
  if (strcmp(fault, "replaced-library") == 0 && argc > 3) {
    replaced_library(argv[3], input);
    return 0;
  }
  confine();
  if (strcmp(fault, "flipped-bits") == 0) flipped_bits(input);
  if (strcmp(fault, "forbidden-call") == 0) forbidden_call();
  if (strcmp(fault, "traced") == 0) traced(input);
  if (strcmp(fault, "stuck-workers") == 0) stuck_workers(input);
  if (strcmp(fault, "family") == 0) family(input);
  return 0;
}
