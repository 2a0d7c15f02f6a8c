import { expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';

const FAULT = 'a b[77]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in f[401000+1000]';
const REFERENCE = Date.UTC(2024, 0, 10);

interface Expected {
  timestamp: string;
  hostname?: string | null;
  level?: string;
  facility?: string;
}

const forms: Record<string, [string, Expected]> = {
  'a record of /dev/kmsg': [`6,100,1234567890,-;${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z' }],
  'a record with a caller': [
    `3,100,5,-,caller=T77;${FAULT}`,
    { timestamp: '1970-01-01T00:00:00.000005Z', level: 'Error' },
  ],
  'a record written by a daemon': [
    `29,100,5,-;${FAULT}`,
    { timestamp: '1970-01-01T00:00:00.000005Z', level: 'Notice', facility: 'Daemon' },
  ],
  'a record of a facility without a name': [
    `134,1,5,-;${FAULT}`,
    { timestamp: '1970-01-01T00:00:00.000005Z', facility: 'User' },
  ],
  dmesg: [`[ 1234.567890] ${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z' }],
  'dmesg with a caller': [`[ 1234.567890] [    T77] ${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z' }],
  'the console with a caller': [`[ 1234.567890][    C0] ${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z' }],
  'dmesg -d': [`[ 1234.567890 <    0.000010>] ${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z' }],
  'dmesg -r': [`<4>[ 1234.567890] ${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z', level: 'Warning' }],
  'the console of an Amlogic kernel': [`[ 1234.567890@1] ${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z' }],
  'dmesg -t with a caller': [`[   T77] ${FAULT}`, { timestamp: '1970-01-01T00:00:00.000000Z' }],
  'logread of OpenWrt': [
    `Sat Jan  6 10:11:12 2024 kern.warn kernel: [ 1234.567890] ${FAULT}`,
    { timestamp: '2024-01-06T10:11:12Z', level: 'Warning' },
  ],
  'BusyBox syslogd': [
    `Jan  5 10:11:12 web-1 kern.err kernel: [ 1234.567890] ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z', hostname: 'web-1', level: 'Error' },
  ],
  'a syslog that leaves the tag out': [
    `Jan  5 10:11:12 web-1 [ 1234.567890] ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z', hostname: 'web-1' },
  ],
  'talosctl dmesg': [
    `192.0.2.7: kern: warning: [2024-01-05T10:11:12.345678901Z]: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345678901Z', hostname: '192.0.2.7', level: 'Warning' },
  ],
  'talosctl dmesg of one node, a daemon’s': [
    ` daemon:  notice: [2024-01-05T10:11:12.345678901Z]: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345678901Z', level: 'Notice', facility: 'Daemon' },
  ],
  'dmesg -t': [FAULT, { timestamp: '1970-01-01T00:00:00.000000Z' }],
  'a bare priority': [`<2>${FAULT}`, { timestamp: '1970-01-01T00:00:00.000000Z', level: 'Critical' }],
  'dmesg -x': [`kern  :err   : [ 1234.567890] ${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z', level: 'Error' }],
  'dmesg -x of a daemon': [
    `daemon:notice: [ 1234.567890] ${FAULT}`,
    { timestamp: '1970-01-01T00:20:34.567890Z', level: 'Notice', facility: 'Daemon' },
  ],
  'dmesg -x -T': [`kern  :info  : [Fri Jan  5 10:11:12 2024] ${FAULT}`, { timestamp: '2024-01-05T10:11:12Z' }],
  'dmesg -T': [`[Fri Jan  5 10:11:12 2024] ${FAULT}`, { timestamp: '2024-01-05T10:11:12Z' }],
  'dmesg -T in German': [`[Fr Mär  5 10:11:12 2024] ${FAULT}`, { timestamp: '2024-03-05T10:11:12Z' }],
  'dmesg -T in German with dots': [`[Di Dez. 24 10:11:12 2024] ${FAULT}`, { timestamp: '2024-12-24T10:11:12Z' }],
  'dmesg -T in French': [`[ven. févr.  5 10:11:12 2024] ${FAULT}`, { timestamp: '2024-02-05T10:11:12Z' }],
  'dmesg -T in French, June': [`[mer. juin   5 10:11:12 2024] ${FAULT}`, { timestamp: '2024-06-05T10:11:12Z' }],
  'dmesg -T in Russian': [`[Пт янв  5 10:11:12 2024] ${FAULT}`, { timestamp: '2024-01-05T10:11:12Z' }],
  'dmesg -T in Chinese': [`[五 1月  5 10:11:12 2024] ${FAULT}`, { timestamp: '2024-01-05T10:11:12Z' }],
  'dmesg -T in a language unknown to it': [
    `[xx yyy  5 10:11:12 2024] ${FAULT}`,
    { timestamp: '1970-01-01T00:00:00.000000Z' },
  ],
  'dmesg --time-format iso': [
    `2024-01-05T10:11:12,345678+01:00 ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345678+01:00' },
  ],
  'dmesg -x --time-format iso': [
    `kern  :crit  : 2024-01-05T10:11:12,345678+01:00 ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345678+01:00', level: 'Critical' },
  ],
  'journalctl short-iso': [
    `2024-01-05T10:11:12+0100 web-1 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12+01:00', hostname: 'web-1' },
  ],
  'journalctl short-iso-precise': [
    `2024-01-05T10:11:12.345678+01:00 web-1 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345678+01:00', hostname: 'web-1' },
  ],
  'journalctl short-monotonic': [
    `[ 1234.567890] web-1 kernel: ${FAULT}`,
    { timestamp: '1970-01-01T00:20:34.567890Z', hostname: 'web-1' },
  ],
  'journalctl short': [
    `Jan 05 10:11:12 web-1 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z', hostname: 'web-1' },
  ],
  'journalctl short-precise': [
    `Jan 05 10:11:12.345678 web-1 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345678Z', hostname: 'web-1' },
  ],
  'journalctl short-full': [
    `Fri 2024-01-05 10:11:12 UTC web-1 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z', hostname: 'web-1' },
  ],
  'journalctl short-unix': [
    `1704449472.345678 web-1 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345678Z', hostname: 'web-1' },
  ],
  'journalctl short without a host name': [`Jan 05 10:11:12 kernel: ${FAULT}`, { timestamp: '2024-01-05T10:11:12Z' }],
  'syslog without a host name, with uptime': [
    `Jan  5 10:11:12 kernel: [ 1234.567890] ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z' },
  ],
  'journalctl short-iso without a host name': [
    `2024-01-05T10:11:12+0100 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12+01:00' },
  ],
  'journalctl short-full without a host name': [
    `Fri 2024-01-05 10:11:12 UTC kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z' },
  ],
  'journalctl short-unix without a host name': [
    `1704449472.345678 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345678Z' },
  ],
  'journalctl short-monotonic without a host name': [
    `[ 1234.567890] kernel: ${FAULT}`,
    { timestamp: '1970-01-01T00:20:34.567890Z' },
  ],
  'a host called kernel': [
    `Jan 05 10:11:12 kernel kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z', hostname: 'kernel' },
  ],
  'a host and an uptime without a time': [
    `web-1 kernel: [ 1234.567890] ${FAULT}`,
    { timestamp: '1970-01-01T00:20:34.567890Z', hostname: 'web-1' },
  ],
  'the tag alone': [`kernel: ${FAULT}`, { timestamp: '1970-01-01T00:00:00.000000Z' }],
  'padding before the message': [
    `Jan 05 10:11:12 web-1 kernel:   ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z', hostname: 'web-1' },
  ],
  'an indented console log': [`   [ 1234.567890] ${FAULT}`, { timestamp: '1970-01-01T00:20:34.567890Z' }],
  'a console log with the processor before each message': [
    `[ 1234.567890] [3] ${FAULT}`,
    { timestamp: '1970-01-01T00:20:34.567890Z' },
  ],
  'a console log of a HiSilicon kernel': [
    `[ 1234.567890] [2018:07:04 16:55:26][pid:77,cpu1,a b]${FAULT}`,
    { timestamp: '1970-01-01T00:20:34.567890Z' },
  ],
  'the kernel buffer of logcat': [
    `01-05 10:11:12.209   565     0 I Kernel  : <6>[ 1234.567890] ${FAULT}`,
    { timestamp: '1970-01-01T00:20:34.567890Z' },
  ],
  'dmesg --reltime, a new minute, from the tenth day on': [
    `[Jan10 10:11] ${FAULT}`,
    { timestamp: '2024-01-10T10:11:00Z' },
  ],
  'dmesg --reltime in Chinese': [`[ 1月10 10:11] ${FAULT}`.replace('[ ', '['), { timestamp: '2024-01-10T10:11:00Z' }],
  'dmesg --reltime, a new minute': [`[Jan 5 10:11] ${FAULT}`, { timestamp: '2024-01-05T10:11:00Z' }],
  'dmesg --reltime': [`[  +0.000012] ${FAULT}`, { timestamp: '1970-01-01T00:00:00.000000Z' }],
  'a terminal program, before the uptime': [
    `[2024-01-05 10:11:12] [ 1234.567890] [    T77] ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z' },
  ],
  'a terminal program, without uptime': [
    `[2024-01-05 10:11:12.345] ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345Z' },
  ],
  'ts before the uptime': [`Jan 05 10:11:12 [ 1234.567890] ${FAULT}`, { timestamp: '2024-01-05T10:11:12Z' }],
  'ts with a format of its own before the uptime': [
    `2024-01-05T10:11:12Z [ 1234.567890] ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z' },
  ],
  'a syslog of last December': [
    `Dec 31 10:11:12 web-1 kernel: ${FAULT}`,
    { timestamp: '2023-12-31T10:11:12Z', hostname: 'web-1' },
  ],
  'syslog with uptime': [
    `Jan  5 10:11:12 web-1 kernel: [ 1234.567890] ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z', hostname: 'web-1' },
  ],
  'RFC 3164 with priority': [
    `<6>Jan  5 10:11:12 web-1 kernel: ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12Z', hostname: 'web-1' },
  ],
  'RFC 5424': [
    `<6>1 2024-01-05T10:11:12.345Z web-1 kernel - - - ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345Z', hostname: 'web-1' },
  ],
  'RFC 5424 with data': [
    `<6>1 2024-01-05T10:11:12.345Z web-1 kernel - - [a@1 b="c\\]\\"d"] ${FAULT}`,
    { timestamp: '2024-01-05T10:11:12.345Z', hostname: 'web-1' },
  ],
  'journalctl json': [
    JSON.stringify({
      _TRANSPORT: 'kernel',
      PRIORITY: '4',
      SYSLOG_FACILITY: '0',
      _HOSTNAME: 'web-1',
      __REALTIME_TIMESTAMP: '1704449472345678',
      MESSAGE: FAULT,
    }),
    { timestamp: '2024-01-05T10:11:12.345678Z', hostname: 'web-1', level: 'Warning' },
  ],
  'journalctl json with bytes': [
    JSON.stringify({ MESSAGE: [...Buffer.from(FAULT)], _SOURCE_MONOTONIC_TIMESTAMP: '1234567890' }),
    { timestamp: '1970-01-01T00:20:34.567890Z' },
  ],
  'a date that does not exist': [
    `2024-13-45T10:11:12,345678+01:00 ${FAULT}`,
    { timestamp: '1970-01-01T00:00:00.000000Z' },
  ],
};

for (const [name, [line, expected]] of Object.entries(forms)) {
  test(name, () => {
    const events = detectEventsFromText(`${line}\r\n`, { hostname: null, referenceMs: REFERENCE });
    const { timestamp, hostname = null, level = 'Info', facility = 'Kern' } = expected;
    expect(events).toMatchObject([
      { timestamp, hostname, event: { procname: 'a b', pid: 77, file: 'f', level, facility } },
    ]);
  });
}

test.each([
  ['another program in the syslog', `Jan  5 10:11:12 web-1 evil[5]: ${FAULT}`],
  ['another program in short-iso', `2024-01-05T10:11:12+0100 web-1 evil[5]: ${FAULT}`],
  ['another program in RFC 5424', `<6>1 2024-01-05T10:11:12.345Z web-1 evil 5 - - ${FAULT}`],
  ['another program in RFC 3164', `<6>Jan  5 10:11:12 web-1 evil[5]: ${FAULT}`],
  ['another program behind a priority', `<6>2024-01-05T10:11:12+01:00 web-1 evil[5]: ${FAULT}`],
  ['another program in short-full', `Fri 2024-01-05 10:11:12 UTC web-1 evil[5]: ${FAULT}`],
  ['another program in short-unix', `1704449472.345678 web-1 evil[5]: ${FAULT}`],
  ['another program in short-monotonic', `[ 1.000000] web-1 kernel: x\n[ 2.000000] web-1 evil[5]: ${FAULT}`],
  ['another program in the syslog without a host name', `Jan  5 10:11:12 evil[5]: ${FAULT}`],
  ['another program in logread', `Sat Jan  6 10:11:12 2024 daemon.err evil[5]: ${FAULT}`],
  ['another facility in logread', `Sat Jan  6 10:11:12 2024 user.info kernel: ${FAULT}`],
  ['another facility in BusyBox syslogd', `Jan  5 10:11:12 web-1 user.info kernel: ${FAULT}`],
  ['another program in logcat', `01-05 10:11:12.209   565     0 I evil  : ${FAULT}`],
  ['another transport of the journal', JSON.stringify({ _TRANSPORT: 'stdout', MESSAGE: FAULT })],
  ['a dictionary line behind a record', `6,1,1,-;x\n ${FAULT}`],
  ['broken JSON', `{"MESSAGE":"${FAULT}"`],
])('is not a kernel line: %s', (_name, text) => {
  expect(detectEventsFromText(text, { hostname: null })).toEqual([]);
});

test('escapes of /dev/kmsg are bytes: a UTF-8 name comes out whole, a backslash too', () => {
  const line =
    '6,1,1,-;caf\\xc3\\xa9\\x5c\\x0a[77]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in f[401000+1000]';
  expect(detectEventsFromText(line, { hostname: null })).toMatchObject([{ event: { procname: 'café\\\n' } }]);
});

test('a process cannot name the host: the first bracketed line decides whether the stream has host names', () => {
  const text = `[    1.000000] Linux version 6.18\n[    2.000000] h kernel: x[77]: segfault at 0 ip 0000000000401005 sp 00007ffd00000000 error 4 in f[401000+1000]`;
  expect(detectEventsFromText(text, { hostname: null })).toMatchObject([
    { hostname: null, event: { procname: 'h kernel: x' } },
  ]);
});

test('a process cannot hide the lines after its own: the first line without a host ends the host names', () => {
  const text = `[    1.000000] h kernel: x[77]: segfault\n[    2.000000] ${FAULT}\n[    3.000000] h kernel: ${FAULT}`;
  expect(detectEventsFromText(text, { hostname: null })).toMatchObject([
    { hostname: null, event: { procname: 'a b' } },
    { hostname: null, event: { procname: 'h kernel: a b' } },
  ]);
});

test('a process cannot imitate a processor number: the first line without one ends them', () => {
  const text = `[    1.000000] [1] x\n[    2.000000] y\n[    3.000000] [1] ${FAULT}`;
  expect(detectEventsFromText(text, { hostname: null })).toMatchObject([{ event: { procname: '[1] a b' } }]);
});

test('the given host name overrides that of the log, and the boot time shifts only monotonic times', () => {
  const bootTimeMs = Date.UTC(2024, 0, 1);
  const text = `[    1.000001] x kernel: ${FAULT}\n2024-01-05T10:11:12+0100 web-1 kernel: ${FAULT}`;
  const events = detectEventsFromText(text, { hostname: 'given', bootTimeMs });
  expect(events.map(({ timestamp, hostname }) => [timestamp, hostname])).toEqual([
    ['2024-01-01T00:00:01.000001Z', 'given'],
    ['2024-01-05T10:11:12+01:00', 'given'],
  ]);
  expect(() => createKernelLogParser({ hostname: null, bootTimeMs: Number.NaN })).toThrow(RangeError);
});

test('a line without a time gets the time of the previous line', () => {
  const text = `[Fri Jan  5 10:11:12 2024] x\n[xx yyy  5 10:11:13 2024] ${FAULT}`;
  expect(detectEventsFromText(text, { hostname: null })).toMatchObject([{ timestamp: '2024-01-05T10:11:12Z' }]);
});
