import type { WitnessKind } from './witness.ts';

/** `*** stack smashing detected ***: terminated` of glibc (older ones print the program), and of libssp with musl. */
const SMASHING = /^\*\*\* stack smashing detected \*\*\*/;
/** glibc: `nginx: a.c:12: main: Assertion `x' failed.`; musl: `Assertion failed: x (a.c: main: 12)`. */
const ASSERTION =
  /^(?:.{0,300}: Assertion `.{1,1000}' failed\.|Assertion failed: .{1,1000} \(.{1,300}: .{1,300}: \d+\))\s*$/s;

/** Recognises what a program or its C library prints right before it aborts. */
export function readProgramMessage(text: string): WitnessKind | null {
  if (SMASHING.test(text)) return 'stack-smashing';
  return ASSERTION.test(text) ? 'assertion' : null;
}
