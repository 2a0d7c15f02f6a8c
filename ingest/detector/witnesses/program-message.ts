import type { WitnessKind } from './witness.ts';

/**
 * `*** stack smashing detected ***: terminated` of glibc (older versions print the program), and of libssp with musl.
 */
const SMASHING = /^\*\*\* stack smashing detected \*\*\*/;

/** Messages about failed assertions, as libraries and programs print them. */
const ASSERTIONS = [
  // glibc: `nginx: a.c:12: main: Assertion `x' failed.`
  /^.{0,300}: Assertion `.{1,1000}' failed\.\s*$/s,
  // musl: `Assertion failed: x (a.c: main: 12)`
  /^Assertion failed: .{1,1000} \(.{1,300}: .{1,300}: \d+\)\s*$/s,
  // systemd and programs with its macros: `Assertion 'x' failed at src/a.c:12, function f(). Aborting.`
  /^Assertion '.{1,1000}' failed at .{1,300}:\d+, function .{1,200}\. Aborting\.\s*$/s,
  // GLib: `ERROR:a.c:12:f: assertion failed: (x)`
  /^(?:Bail out! )?(?:[\w.-]{1,100}:)?ERROR:.{1,300}:\d+:.{1,200}: assertion failed\b/,
  // PostgreSQL up to 15, then from 16 on: `TRAP: failed Assert("x"), File: "a.c", Line: 12, PID: 7`
  /^TRAP: FailedAssertion\(".{0,1000}", File: ".{1,300}", Line: \d+(?:, PID: \d+)?\)\s*$/s,
  /^TRAP: failed Assert\(".{0,1000}"\), File: ".{1,300}", Line: \d+, PID: \d+\s*$/s,
  // BIND: `name.c:2152: REQUIRE(x) failed, back trace`
  /^[\w./-]{1,200}:\d+: (?:REQUIRE|ENSURE|INSIST|INVARIANT)\(.{1,1000}\) failed\b/s,
  // glog, then Chromium: `F0102 12:00:00.123456 7 a.cc:12] Check failed: x`, `[7:7:0102/120000.123456:FATAL:a.cc(12)] Check failed: x`
  /^F\d{4,8} [\d:.]{8,20} +\d+ .{1,300}:\d+\] Check failed: /,
  /^\[.{1,80}:FATAL:.{1,300}[(:]\d+\)?\] Check failed: /,
];

/** Source of a regular expression that matches a part of every message that `readProgramMessage` recognises. */
export const PROGRAM_MESSAGE_MARK = 'stack smashing detected|ssert|Check failed: |\\) failed';

/** Recognises messages that a program or its C library prints directly before it aborts. */
export function readProgramMessage(text: string): WitnessKind | null {
  if (SMASHING.test(text)) return 'stack-smashing';
  return ASSERTIONS.some((assertion) => assertion.test(text)) ? 'assertion' : null;
}
