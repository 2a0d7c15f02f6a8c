/*
 * Programs that crash because of their own faults. Usage: crasher FAULT NUMBER; the number is the program's input.
 * Each fault occurs in practice, and no fault is an attack.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"

static volatile uint64_t sink;

/* A parser without a depth limit: two functions call each other until the stack overflows in one of them. */
static uint64_t parse_list(uint64_t depth, uint64_t input);

__attribute__((noinline)) static uint64_t parse_value(uint64_t depth, uint64_t input) {
  char token[24];
  snprintf(token, sizeof token, "%lx", (unsigned long)(depth ^ input));
  return parse_list(depth + 1, input) + (uint64_t)token[0];
}

__attribute__((noinline)) static uint64_t parse_list(uint64_t depth, uint64_t input) {
  volatile char scratch[40];
  scratch[depth % sizeof scratch] = (char)depth;
  uint64_t first = depth == UINT64_MAX ? 0 : parse_value(depth + 1, input);
  return first + (uint64_t)scratch[input % sizeof scratch];
}

/* A length from a damaged file: the copy runs past the end of a mapping. */
static void copy_too_much(uint64_t input) {
  static char small[4096];
  char *into = malloc(1 << 20);
  size_t length = (size_t)1 << (24 + input % 8);
  memcpy(into + input % 512, small + input % 64, length + input * 8);
  sink += (uint64_t)into[0];
}

struct job {
  struct job *next;
  uint64_t *result;
  void (*done)(uint64_t);
};

/* A job is used after it was freed and its memory was overwritten. */
static void use_after_free(uint64_t input) {
  struct job *job = calloc(1, sizeof *job);
  free(job);
  uint64_t *other = malloc(sizeof *job);
  for (size_t i = 0; i < sizeof *job / sizeof *other; i++) other[i] = 0x100 * (input % 5) + i;
  switch (input % 3) {
    case 0: sink += (uint64_t)job->next->next; break;
    case 1: *job->result = input; break;
    default: sink += *job->next->result;
  }
}

__attribute__((noinline)) static uint64_t divide(uint64_t a, uint64_t by) { return a / by; }

/* A reader with six faults, as a fuzzer finds them. A fault that depends on more input bits is rarer. */
static void read_record(uint64_t input) {
  volatile uint64_t *pointer = (uint64_t *)(input & 0xff0);
  if (input % 2 == 0) sink += *pointer;
  if (input % 3 == 0) *(pointer + 512) = input;
  if (input % 5 == 0) sink += divide(input, input % 5);
  if (input % 7 == 0) __builtin_trap();
  if (input % 11 == 0) copy_too_much(input);
  if (input % 13 == 0) abort();
}

/* Generated code that loads from a bad address, at an offset that depends on the input. */
static void run_generated(uint64_t input) {
  unsigned char *code = mmap(NULL, 65536, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (code == MAP_FAILED) _exit(3);
  size_t entry = (size_t)(input * 2654435761u % 60000);
  memset(code, 0x90, 65536);
#if defined(__x86_64__)
  /* xor %eax,%eax; mov (%rax),%rax */
  memcpy(code + entry + 16, "\x31\xc0\x48\x8b\x00", 5);
#endif
  ((void (*)(void))(uintptr_t)(code + entry))();
}

/* A parent that forks a new worker some time after each abort. Input: number of workers, then the pause in milliseconds. */
static void assertion_loop(unsigned workers, unsigned pause_ms) {
  struct timespec pause = {pause_ms / 1000, (long)(pause_ms % 1000) * 1000000};
  for (unsigned i = 0; i < workers; i++) {
    if (fork() != 0) continue;
    for (;;) {
      if (fork() == 0) {
        confine();
        volatile int queue_length = -1;
        assert(queue_length >= 0 && "queue is never negative");
      }
      wait(NULL);
      nanosleep(&pause, NULL);
    }
  }
  for (;;) wait(NULL);
}

int main(int argc, char **argv) {
  if (argc < 3) return 2;
  const char *fault = argv[1];
  uint64_t input = strtoull(argv[2], NULL, 10);
  confine();
  if (freopen("/dev/null", "w", stderr) == NULL) return 3;
  if (strcmp(fault, "recursion") == 0) sink += parse_value(0, input);
  if (strcmp(fault, "wild-copy") == 0) copy_too_much(input);
  if (strcmp(fault, "use-after-free") == 0) use_after_free(input);
  if (strcmp(fault, "null-write") == 0) *(volatile int *)8 = 1;
  if (strcmp(fault, "damaged-record") == 0) read_record(input);
  if (strcmp(fault, "generated-code") == 0) run_generated(input);
  if (strcmp(fault, "assertion-loop") == 0) assertion_loop((unsigned)input, argc > 3 ? (unsigned)atoi(argv[3]) : 1000);
  if (strcmp(fault, "forked-copies") == 0)
    for (uint64_t i = 0; i < input; i++) {
      /* All children have the memory layout of their parent. */
      if (fork() == 0) copy_too_much(i * 7919);
      wait(NULL);
      usleep(100000);
    }
  return 0;
}
