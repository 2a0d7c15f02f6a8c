import { at, jump, type RuleCase, random, times, trap } from '../rule-case.ts';

const crashes = (procname: string, count: number, from = 0) =>
  times(count, (i) => at(from + i * 600, trap(0x40_1100, { procname, file: procname, pid: 700 + i })));
/** Returns jumps of a service to addresses without code, which are of medium severity. */
const jumps = (from = 0, hostname = 'edge-1', count = 6) =>
  times(count, (i) =>
    at(
      from + 60 * i,
      jump(0x5555_0000_0000 + Math.floor(random(i) * 2 ** 28) * 16, {
        pid: 500 + i,
        sp: 0x7ffc_0000_1000 + Math.floor(random(i + 50) * 2 ** 20) * 2 ** 12,
      }),
      hostname,
    ),
  );
const LOW = 'sensitive-program-crash';
const DAY = 86_400;

export const cases: readonly RuleCase[] = [
  {
    name: 'a service that is probed, then a program that grants privileges crashes again and again',
    events: [...jumps(), ...crashes('sudo', 3, 3_600)],
    registers: [null],
    others: ['unmapped-jump', LOW],
  },
  {
    name: 'six sensitive programs crash on one day',
    events: ['sshd', 'sudo', 'polkitd', 'systemd-logind', 'cron', 'auditd'].flatMap((name, i) =>
      crashes(name, 1, i * 600),
    ),
    registers: [null],
    others: times(6, () => LOW),
  },
  {
    name: 'more signs on the next day belong to the same alert',
    events: [...jumps(), ...crashes('sudo', 3, 3_600), ...crashes('sshd', 3, DAY), ...crashes('cron', 1, 2 * DAY)],
    registers: [null],
    others: ['unmapped-jump', LOW, LOW, LOW],
  },
  {
    name: 'a sensitive program that crashes in a loop',
    events: crashes('cron', 40),
    registers: [],
    others: [LOW],
  },
  {
    name: 'the same sign of one program on several days',
    events: times(4, (i) => crashes('sshd', 3, i * 2 * DAY)).flat(),
    registers: [],
    others: times(4, () => LOW),
  },
  {
    name: 'a sign that is an alert by itself, with a weak one',
    events: [...jumps(0, 'edge-1', 40), ...crashes('sudo', 3, 3_600)],
    registers: [],
    others: ['unmapped-jump', LOW],
  },
  {
    name: 'two signs days apart',
    events: [...jumps(), ...crashes('sudo', 3, 3 * DAY)],
    registers: [],
    others: ['unmapped-jump', LOW],
  },
  {
    name: 'two signs on two hosts',
    events: [...jumps(0, 'edge-2'), ...crashes('sudo', 3, 3_600)],
    registers: [],
    others: ['unmapped-jump', LOW],
  },
];
