import { expect, test } from 'vitest';
import { analyzeEvents } from '#analytics/detections/analyze.ts';
import { at, dump, times } from '#analytics/detections/rule-case.ts';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import type { EventType } from '#schemas/events/versions/v1.ts';

function read(...lines: string[]) {
  const parser = createKernelLogParser({ hostname: null, referenceMs: Date.UTC(2026, 0, 1) });
  return [...lines.flatMap((line) => parser.push(line)), ...parser.flush()].map(({ event }) => event);
}
const ABEND = 'auid=4294967295 uid=33 gid=33 ses=4294967295 pid=7 comm="nginx" exe="/usr/sbin/nginx" sig=6 res=1';
const journal = (fields: object): string =>
  JSON.stringify({ __REALTIME_TIMESTAMP: '1767225600000000', _HOSTNAME: 'web-1', ...fields });
const SMASHING = {
  _TRANSPORT: 'stdout',
  _PID: '7',
  _COMM: 'nginx',
  MESSAGE: '*** stack smashing detected ***: terminated',
};
const coreDump = (message: string, writer = 'systemd-coredum') =>
  journal({
    _TRANSPORT: 'journal',
    _COMM: writer,
    COREDUMP_PID: '7',
    COREDUMP_COMM: 'nginx',
    COREDUMP_SIGNAL: '6',
    MESSAGE: message,
  });

const CORE = 'Jan  1 00:00:00 web-1 systemd-coredump[9]: Process 7 (nginx) of user 33';
const ABORTED = '#0  0x00007f12345678ab __pthread_kill_implementation (libc.so.6 + 0x8ae2c)';

test.each([
  ['glibc in the journal', journal(SMASHING), 'stack-smashing'],
  ['glibc in syslog', 'Jan  1 00:00:00 web-1 nginx[7]: *** stack smashing detected ***: terminated', 'stack-smashing'],
  ['an assertion', journal({ ...SMASHING, MESSAGE: "nginx: a.c:12: main: Assertion `x > 0' failed." }), 'assertion'],
  ['systemd-coredump', coreDump('Process 7 (nginx) of user 33 dumped core.'), 'core-dump'],
  ['a canary in a core dump', coreDump('#4  0x00007f00 __stack_chk_fail (libc.so.6 + 0x1)'), 'stack-smashing'],
  [
    'systemd-coredump in syslog',
    'Jan  1 00:00:00 web-1 systemd-coredump[9]: Process 7 (nginx) of user 33 terminated abnormally with signal 6/ABRT, processing...',
    'core-dump',
  ],
  [
    'a canary in a core dump in syslog',
    'Jan  1 00:00:00 web-1 systemd-coredump[9]: [🡕] Process 7 (nginx) of user 33 dumped core.#012#012Stack trace of thread 7:#012#3  0x00007f00 __stack_chk_fail (libc.so.6 + 0x1)',
    'stack-smashing',
  ],
  ['audit in the journal', journal({ _TRANSPORT: 'audit', MESSAGE: `ANOM_ABEND ${ABEND}` }), 'audit'],
  ['auditd', `type=ANOM_ABEND msg=audit(1767225600.000:12): ${ABEND}`, 'audit'],
  ['audit in the kernel log', `[    1.000000] audit: type=1701 audit(1767225600.000:12): ${ABEND}`, 'audit'],
  [
    'the stack of an abort in syslog',
    `${CORE} dumped core.#012#012Stack trace of thread 7:#012${ABORTED}`,
    'core-dump',
  ],
  ['the stack of an abort in lines', `${CORE} dumped core.\n\n   Stack trace of thread 7:\n   ${ABORTED}`, 'core-dump'],
  [
    'a canary in lines',
    `${CORE} dumped core.\n\n   ${ABORTED}\n   #3  0x00007f00 __stack_chk_fail (libc.so.6 + 0x1)`,
    'stack-smashing',
  ],
])('%s is an event with its witness', (_source, line, witness) => {
  expect(read(...line.split('\n'))).toMatchObject([
    { event: { type: 'LinuxFatalSignal', signal: 'SIGIOT', stack_dump: { PID: '7', Comm: 'nginx' }, witness } },
  ]);
});

test.each([
  ['musl', 'Assertion failed: x > 0 (a.c: main: 12)'],
  ['systemd', "Assertion 'x > 0' failed at src/shared/a.c:12, function f(). Aborting."],
  ['GLib', 'ERROR:a.c:12:main: assertion failed (x == y): (1 == 2)'],
  ['GLib with a domain', 'Bail out! Gtk:ERROR:a.c:12:main: assertion failed: (x)'],
  ['PostgreSQL 14', 'TRAP: FailedAssertion("!(x > 0)", File: "xact.c", Line: 12)'],
  ['PostgreSQL 17', 'TRAP: failed Assert("x > 0"), File: "xact.c", Line: 12, PID: 7'],
  ['BIND', 'name.c:2152: REQUIRE(((name) != ((void *)0))) failed, back trace'],
  ['glog', 'F0102 12:00:00.123456     7 a.cc:12] Check failed: x > 0 (0 vs. 0)'],
  ['Chromium', '[7:7:0102/120000.123456:FATAL:a.cc(12)] Check failed: x > 0.'],
])('a failed assertion of %s is a witness in syslog and in the journal', (_library, message) => {
  for (const line of [`Jan  1 00:00:00 web-1 server[7]: ${message}`, journal({ ...SMASHING, MESSAGE: message })])
    expect(read(line)).toMatchObject([{ event: { stack_dump: { PID: '7' }, witness: 'assertion' } }]);
});

test.each([
  ['another program that sets the fields of a core dump', coreDump('x', 'evil')],
  ['a report inside other text', journal({ ...SMASHING, MESSAGE: 'log: *** stack smashing detected ***' })],
  [
    'a core dump whose cause is not named',
    'Jan  1 00:00:00 web-1 systemd-coredump[9]: Process 7 (nginx) of user 33 dumped core.',
  ],
  [
    'a failed assertion inside other text',
    journal({ ...SMASHING, MESSAGE: 'GET /TRAP: failed Assert("x"), File: "a.c", Line: 1, PID: 7' }),
  ],
  ['a check that failed for a service', 'Jan  1 00:00:00 web-1 monit[7]: Check failed: port 80 (x) failed'],
  ['a line of another program', journal({ ...SMASHING, MESSAGE: 'Assertion of rights' })],
  ['JSON that is cut short', '{"MESSAGE":"*** stack smashing detected ***'],
])('%s is no event', (_case, line) => {
  expect(read(line)).toEqual([]);
});

test('a crash in the kernel log is not reported again from the audit log', () => {
  const lines = [
    '6,2,1000200,-;nginx: nginx: potentially unexpected fatal signal 6.',
    '4,3,1000210,-;CPU: 1 UID: 0 PID: 7 Comm: nginx Not tainted 6.18.0 #1',
    `type=ANOM_ABEND msg=audit(1.000:12): ${ABEND}`,
  ];
  expect(read(...lines)).toHaveLength(1);
});

const abort = (i: number) => at(i / 4, dump({ PID: String(100 + i), FS: '00007fd70f4f1740' }, 'SIGIOT'));
const witness = (i: number, kind: string) =>
  at(i / 4 + 0.01, { ...dump({ PID: String(100 + i) }, 'SIGIOT'), witness: kind } as EventType);
const judge = (kind: string | null, share = 1) =>
  [
    ...analyzeEvents(
      times(80, (i) => (kind !== null && i % share === 0 ? [abort(i), witness(i, kind)] : [abort(i)])).flat(),
      DEFAULT_DETECTION_SETTINGS,
    ),
  ].filter(({ rule }) => rule.id === 'stack-canary-probe');

test('a canary probe is critical with the abort message, high without it, and low with failed assertions', () => {
  expect(judge(null)).toMatchObject([{ severity: 'high', crashes: 80 }]);
  expect(judge('stack-smashing', 30)).toMatchObject([{ severity: 'critical', crashes: 80 }]);
  expect(judge('assertion')).toMatchObject([{ severity: 'low', crashes: 80 }]);
  expect(judge('assertion', 10)).toMatchObject([{ severity: 'high', crashes: 80 }]);
});

test('the stack of a core dump names the instruction pointer', () => {
  const text = `Process 7 (nginx) of user 33 dumped core.\n\nStack trace of thread 7:\n${ABORTED}`;
  for (const line of [coreDump(text), `${CORE} dumped core.#012#012${ABORTED}`])
    expect(read(line)).toMatchObject([{ event: { stack_dump: { pc: '00007f12345678ab' } } }]);
});

test('counts a core dump without a cause, but not one that the kernel has reported', () => {
  const segfault =
    '6,2,1000200,-;nginx[7]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in f[401000+1000]';
  const unread = (...lines: string[]) => {
    const parser = createKernelLogParser({ hostname: null });
    for (const line of lines) parser.push(line);
    parser.flush();
    return Object.fromEntries(parser.unreadForms);
  };
  const stack = `#0  0x000055d012345678 n/a (nginx + 0x1234)`;
  expect(unread(`${CORE} dumped core.`, '', `   ${stack}`)).toEqual({ 'core dump without a signal': 1 });
  expect(unread(segfault, `${CORE} dumped core.`)).toEqual({});
});
