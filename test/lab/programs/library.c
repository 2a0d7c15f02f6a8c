/* A small library for a program that uses it while its file changes. */
#include <stdint.h>

__attribute__((noinline)) static uint64_t step(uint64_t value) { return (value ^ (value >> 13)) * 0xff51afd7ed558ccdull; }

uint64_t work(uint64_t input) {
  for (int i = 0; i < 50; i++) input = step(input + (uint64_t)i);
  return input;
}
