import { expect, test } from 'vitest';
import { crashRecords } from './crash-records.ts';
import { nameTest } from './run-scenario.ts';
import { stretchRecords } from './stretch-records.ts';

const records = (texts: readonly string[]): string[] => texts.map((text, i) => `6,${i},${i * 1000},-;${text}`);
const textsOf = (kept: readonly string[]): string[] => kept.map((record) => record.slice(record.indexOf(';') + 1));

const DUMP = (name: string) => [
  `${name}: ${name}: potentially unexpected fatal signal 11.`,
  `CPU: 0 UID: 65534 PID: 26780 Comm: ${name} Not tainted 6.18.44 #1 PREEMPT(none) `,
  'RIP: 0033:0x55b329bd9182',
  'Code: 64 ff ff',
  'RSP: 002b:00007ffebacb27d0 EFLAGS: 00010246',
  'RAX: 0000000000000000 RBX: 00007ffebacb2958 RCX: 0000000000000000',
  'R13: 00007ffebacb2968 R14: 000055b329bdbdd8 R15: 00007f8c221cc020',
  'FS:  00007f8c21fa1740 GS:  0000000000000000',
];
const SEGFAULT = (name: string) => [
  `${name}[26780]: segfault at 0 ip 000055b329bd9182 sp 00007ffebacb27d0 error 6 in ${name}[1182,55b329bd9000+1000]`,
  'Code: 64 ff ff',
];

test('keeps complete reports of the program, and no line of others', () => {
  const ours = [...SEGFAULT('lab-1'), ...DUMP('lab-1'), 'traps: lab-1[7] general protection fault ip:1 sp:2 error:0'];
  const others = [...SEGFAULT('other'), ...DUMP('other'), 'EXT4-fs (vda): mounted filesystem'];
  expect(textsOf(crashRecords(records([...others, ...ours, ...others, ...ours]), nameTest(['lab-1'])))).toEqual([
    ...ours,
    ...ours,
  ]);
});

test('another message between the lines of a dump does not end it', () => {
  const dump = DUMP('lab-1');
  const disturbed = [...dump.slice(0, 3), 'audit: type=1701 audit(1): comm="lab-1"', ...dump.slice(3)];
  expect(textsOf(crashRecords(records(disturbed), nameTest(['lab-1'])))).toEqual(dump);
});

test('keeps counts of suppressed messages from the first record of the program on', () => {
  const suppressed = 'show_signal_msg: 20 callbacks suppressed';
  const texts = [suppressed, ...SEGFAULT('other'), ...SEGFAULT('lab-1'), suppressed, ...SEGFAULT('other')];
  expect(textsOf(crashRecords(records(texts), nameTest(['lab-1'])))).toEqual([...SEGFAULT('lab-1'), suppressed]);
});

test('a placeholder in a name matches any number, and nothing else', () => {
  const isOurs = nameTest(['lab-1', 'wk-%-lab']);
  expect(['lab-1', 'wk-0-lab', 'wk-123-lab', 'wk--lab', 'wk-1-lab2', 'lab-12', 'a.b'].map(isOurs)).toEqual([
    ...[true, true, true],
    ...[false, false, false, false],
  ]);
});

test('stretched records keep all but the time between crashes', () => {
  const slow = stretchRecords(['6,1,1000000,-;a', '4,2,1000500,c;b;6,7,8', 'no record', '6,3,1100500,-;c'], 60);
  expect(slow).toEqual(['6,1,1000000,-;a', '4,2,1000500,c;b;6,7,8', 'no record', '6,3,7000500,-;c']);
});
