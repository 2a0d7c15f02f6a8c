import { expect, test } from 'vitest';
import { stripPasted } from '#ingest/detector/lines/pasted-line.ts';

const DMESG = '[  912.114210] nginx[31]: segfault at 18 ip 000055d0c0a81f3c sp 00007ffd9a3c11d0 error 4';
const SYSLOG = `Nov 26 10:12:13 web3 kernel: ${DMESG}`;

test.each([
  `> ${SYSLOG}`,
  `>> ${DMESG}`,
  `> > ${DMESG}`,
  `  118\t${SYSLOG}`,
  `118:${SYSLOG}`,
  `/var/log/kern.log:${SYSLOG}`,
  `/var/log/kern.log.2.gz:118:${DMESG}`,
  `syslog-1  | ${SYSLOG}`,
  `[pod/logger-x7k2p/logger] 2026-11-26T10:12:13.123456789Z ${DMESG}`,
  `- \`${DMESG}\``,
  `    ${SYSLOG}`,
])('what precedes the line is taken off: %s', (line) => {
  expect([DMESG, SYSLOG]).toContain(stripPasted(line));
});

test.each([
  DMESG,
  SYSLOG,
  // A line of another program that quotes a kernel line.
  `Nov 26 10:12:13 web3 app[7]: > ${DMESG}`,
  `2026-11-26T10:12:13Z web3 app: ${DMESG}`,
  // Process names.
  '> x[31]y: a segfault',
  'kern.log:118: x[31]: segfault at 18 ip 000055d0c0a81f3c sp 00007ffd9a3c11d0 error 4',
  '- worker[31]: segfault at 18 ip 000055d0c0a81f3c sp 00007ffd9a3c11d0 error 4',
])('nothing is taken off: %s', (line) => {
  expect(stripPasted(line)).toBe(line);
});

test('a quoted line without a time begins with the name of its process', () => {
  expect(stripPasted('> nginx[31]: segfault at 18')).toBe('nginx[31]: segfault at 18');
  expect(stripPasted('> traps: nginx[31] trap invalid opcode')).toBe('traps: nginx[31] trap invalid opcode');
});
