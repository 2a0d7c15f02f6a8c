import { describe, expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import { createKernelLogParser } from '#ingest/detector/kernel-log-parser.ts';
import { USER_READ } from '#test/schemas/events/sample-event.ts';
import { signal, testDialects, trap } from './dialect-cases.ts';

const FETCH = { ...USER_READ, instruction_fetch: true };
const DENIED = { ...FETCH, reason: 'ProtectionFault' };
const ATTEMPT = 'PAX: execution attempt in: /usr/lib/libz.so.1, 7f10000000-7f10004000 00000000';
const TERMINATING =
  'PAX: terminating task: /usr/bin/x(x):7, uid/euid: 33/0, PC: 0000007f10000010, SP: 000003dc07db2ce0';
const jump = (fields: object) =>
  trap({
    pid: 7,
    procname: 'x',
    ip: 0x7f_1000_0010,
    sp: 0x3dc_07db_2ce0,
    trap: { type: 'Segfault', location: 0x7f_1000_0010 },
    errcode: FETCH,
    process: { executable: '/usr/bin/x', uid: 33 },
    ...fields,
  });
const mapped = { file: 'libz.so.1', vmastart: 0x7f_1000_0000, vmasize: 0x4000, errcode: DENIED };

describe('PaX', () => {
  testDialects({
    'an execution attempt in a file': [`${ATTEMPT}\n${TERMINATING}`, [jump(mapped)]],
    'with the address of the remote user': [
      `${ATTEMPT.replace('PAX: ', 'PAX: From 10.0.0.1: ')}\n${TERMINATING}`,
      [jump(mapped)],
    ],
    'in memory without a file': [
      `${ATTEMPT.replace('/usr/lib/libz.so.1', '<anonymous mapping>')}\n${TERMINATING}`,
      [jump({ errcode: DENIED })],
    ],
    'where nothing is mapped, 32 bit': [
      'PAX: execution attempt in: <NULL>, 00000000-00000000 00000000\nPAX: terminating task: /bin/k(k):21, uid/euid: 5/5, PC: 00000010, SP: 5953cf80',
      [
        jump({
          pid: 21,
          procname: 'k',
          ip: 0x10,
          sp: 0x5953_cf80,
          trap: { type: 'Segfault', location: 0x10 },
          process: { executable: '/bin/k', uid: 5 },
        }),
      ],
    ],
    'the attempt is of another process': [
      `${ATTEMPT.replace('7f10000000-7f10004000', '1000-2000')}\n${TERMINATING}`,
      [jump({})],
    ],
    'the attempt was lost': [TERMINATING, [jump({})]],
    'a path that looks like the end of the line': [
      TERMINATING.replace('/usr/bin/x(', '/tmp/a(sshd):1, uid/euid: 0/0, PC: 1, SP: 2('),
      [jump({ process: { executable: '/tmp/a(sshd):1, uid/euid: 0/0, PC: 1, SP: 2', uid: 33 } })],
    ],
  });
});

const OWN = '/usr/bin/x[x:7] uid/euid:33/0 gid/egid:33/33';
const PARENT = ', parent /usr/bin/gdb[gdb:9] uid/euid:0/0 gid/egid:0/0';
const FACTS = { executable: '/usr/bin/x', uid: 33, parent: { pid: 9, name: 'gdb', executable: '/usr/bin/gdb' } };
const reported = (name: string, fields: object = {}, dump: object = {}) => ({
  ...signal(name, { PID: '7', Comm: 'x', ...dump }),
  witness: 'grsecurity',
  process: FACTS,
  ...fields,
});

describe('grsecurity', () => {
  testDialects({
    'a segfault': [
      `grsec: Segmentation fault occurred at            (nil) in ${OWN}${PARENT}`,
      [reported('SIGSEGV', {}, { CR2: '0000000000000000' })],
    ],
    'a segfault of a remote user in a role': [
      `grsec: From 10.0.0.1: (default:D:/) Segmentation fault occurred at 00007f1000000010 in ${OWN}${PARENT}`,
      [reported('SIGSEGV', {}, { CR2: '00007f1000000010' })],
    ],
    'an abort': [`grsec: Abort occurred at 000003e8 in ${OWN}${PARENT}`, [reported('SIGIOT')]],
    'an illegal instruction': [`grsec: Illegal instruction occurred at 12 in ${OWN}${PARENT}`, [reported('SIGILL')]],
    'a bus error': [`grsec: Invalid alignment/Bus error occurred at 12 in ${OWN}${PARENT}`, [reported('SIGBUS')]],
    'without a parent': [
      `grsec: Abort occurred at 000003e8 in ${OWN}`,
      [reported('SIGIOT', { process: { executable: '/usr/bin/x', uid: 33 } })],
    ],
    'a path that looks like another process gives no event': [
      `grsec: Abort occurred at 000003e8 in /tmp/a[sshd:1] uid/euid:0/0 gid/egid:0/0${OWN}${PARENT}`,
      [],
    ],
  });

  describe('with the dump of the same signal is one event, whose trap line the kernel may have suppressed', () => {
    const report = (name: string) => `grsec: ${name} occurred at 00007f1000000010 in ${OWN}${PARENT}`;
    const dumped = (number: number, subject: string) =>
      `${subject}potentially unexpected fatal signal ${number}.\nCPU: 0 PID: 7 Comm: x Not tainted 6.1.0\nRIP: 0033:0x7f1000000010`;
    const merged = (name: string, dump: object) => ({
      ...signal(name, { CPU: '0', PID: '7', Comm: 'x', RIP: '0033:0x7f1000000010', ...dump }),
      process: FACTS,
    });
    const segfault = merged('SIGSEGV', { CR2: '00007f1000000010' });
    testDialects({
      'a segfault': [`${report('Segmentation fault')}\n${dumped(11, '')}`, [segfault]],
      'a segfault of a kernel whose dump begins with the process': [
        `${report('Segmentation fault')}\nx/7: potentially unexpected fatal signal 11.`,
        [{ ...signal('SIGSEGV', { CR2: '00007f1000000010', Comm: 'x', PID: '7' }), process: FACTS }],
      ],
      'an abort': [`${report('Abort')}\n${dumped(6, 'x: x: ')}`, [merged('SIGIOT', {})]],
      'another signal is another event': [
        `${report('Abort')}\n${dumped(11, '')}`,
        [reported('SIGIOT'), signal('SIGSEGV', { CPU: '0', PID: '7', Comm: 'x', RIP: '0033:0x7f1000000010' })],
      ],
      'two reports of one process are two events': [
        `${report('Abort')}\n${report('Abort')}`,
        [reported('SIGIOT'), reported('SIGIOT')],
      ],
    });

    test('a report waits a second of the log for its dump, and no longer', () => {
      const parser = createKernelLogParser({ hostname: null });
      const types = (time: string, text: string) =>
        parser.push(`[ ${time}] ${text}`).map(({ event: { event } }) => event.type);
      expect(types('10.000000', report('Abort'))).toEqual([]);
      expect(types('10.500000', 'usb 1-1: new device')).toEqual([]);
      expect(types('11.100000', 'usb 1-1: new device')).toEqual(['LinuxFatalSignal']);
      expect(types('12.000000', report('Abort'))).toEqual([]);
      expect(parser.flush()).toHaveLength(1);
    });
  });

  test('says nothing new of a crash whose trap line was read', () => {
    const lines = `x[7]: segfault at 0 ip 00000000 sp 00000001 error 4 in x[0+1000]\ngrsec: Segmentation fault occurred at 0 in ${OWN}`;
    expect(detectEventsFromText(lines, { hostname: null }).map(({ event }) => event.type)).toEqual(['LinuxKernelTrap']);
  });
});

describe('WSL', () => {
  testDialects({
    'a crash that it captures': [
      'WSL (12168 - CaptureCrash): Capturing crash for pid: 43975, executable: !usr!bin!ruby3.2, signal: 6, port: 50005',
      [
        {
          ...signal('SIGIOT', { PID: '43975', Comm: 'ruby3.2' }),
          witness: 'core-dump',
          process: { executable: '/usr/bin/ruby3.2' },
        },
      ],
    ],
  });
});

describe('arm64 before 4.18, without the process', () => {
  testDialects({
    'a data access of a process': [
      'Unhandled fault: alignment fault (0x92000021) at 0x00000000005e65c5',
      [
        trap({
          pid: 0,
          procname: '',
          ip: 0,
          sp: 0,
          level: 'Emergency',
          trap: { type: 'Generic', description: 'alignment fault (0x92000021) at 0x00000000005e65c5' },
        }),
      ],
    ],
    'an access of the kernel is no event': ['Unhandled fault: alignment fault (0x96000021) at 0xffffff80005e65c5', []],
  });

  test('an access of the kernel is no fault of a process either', () => {
    const parser = createKernelLogParser({ hostname: null });
    parser.push('Unhandled fault: alignment fault (0x96000021) at 0xffffff80005e65c5');
    expect(parser.stats.unreadFaults).toBe(1);
  });
});
