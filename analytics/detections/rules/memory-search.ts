import { z } from 'zod';
import { valuesTotal } from '../episode.ts';
import { CRASH_TRAITS } from '../evidence/crash-traits.ts';
import { judgeSearch } from '../evidence/memory-search.ts';
import { APART } from '../evidence/search-pattern.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'memory-search',
  order: 10,
  version: 2,
  name: 'Memory search',
  severity: 'medium',
  registers: ['address', 'ip'],
  attack: [
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
    { tactic: 'TA0008', technique: 'T1210', name: 'Exploitation of Remote Services' },
  ],
  summary:
    'One instruction of a program reads or writes addresses that are whole pages apart, one in each process: at equal distances, or all over one memory layout. Or the program jumps to such addresses at equal distances. An attacker searches for mapped memory to learn the memory layout.',
  runbook: {
    nextChecks: [
      'Compare the times of the crashes with the access log of the program. Which client connected just before each crash? Block it at the edge of the network.',
      'Check whether the crashes stopped. A search that stops by itself has probably found mapped memory. Assume that the attacker knows the memory layout of the program.',
      'Look up the instruction in the binary (`addr2line -e FILE ADDRESS`). It uses an address that a request can set.',
      'Save a core dump. Then restart the program: only a new execution gets a new memory layout. Children that it forks keep the old one.',
      'Search other hosts for crashes of the same program at the same time.',
    ],
    falsePositives: [
      'A forking program that crashes at the end of a memory area which grows by the same size between all crashes.',
      'A test of memory protection that touches one page in each child, such as the self-tests of the kernel. A known user runs it. Add an exception for the host, with an expiry.',
    ],
  },
  statistics: {
    baseRate:
      'A broken pointer has one address in each memory layout. With address randomization, a 32-bit program has 256 layouts. Of 10,000 simulated programs with a pointer to one of 256 pages, none uses 16 addresses without repetition of which six in ten are neighbours: pages repeat first. With a pointer to one of 32 pages, 36 do. In one layout, a broken pointer has one address, a wrong 32-bit offset leads at most 4 GiB away, and 16 calculated addresses have one offset in the page by chance in one of 256^15 cases.',
    falseAlarmsPerMonth: 0,
    falseAlarmForEach: 'forked program that crashes at the end of memory which grows equally between all its crashes',
    evasions: [
      {
        evasion: 'Random addresses in a new execution each',
        price: 'None where every execution has a new layout: the log looks like that of a broken pointer.',
        days: null,
      },
      {
        evasion: 'Random addresses with a random offset in the page, or half of them within 8 GiB',
        price:
          'An attacker who looks for a known object knows its offset in the page, and few of these tries can find it.',
        days: null,
      },
      { evasion: 'Two tries at each address', price: 'Twice the crashes.', days: null },
      {
        evasion: 'At most 15 addresses in 6 hours',
        price: 'The 256 layouts of a 32-bit program take four days.',
        days: 4.3,
      },
    ],
  },
  thresholds: z.strictObject({
    window: z.number().positive().default(21_600).describe('Counting window (seconds)'),
    quiet: z.number().positive().default(21_600).describe('Episode ends after this time without a fault (seconds)'),
    minAddresses: z.number().int().min(8).max(60).default(16).describe('Minimum distinct addresses, whole pages apart'),
    highAddresses: z.number().int().default(64).describe('High from this many distinct addresses'),
  }),
  severityOf: (episode, { highAddresses }) => (valuesTotal(episode) >= highAddresses ? 'high' : 'medium'),
  message: (episode, { program, where, distinct, crashes }) =>
    episode.detail[0] === 'jumps'
      ? `${program}${where} jumps to ${distinct} addresses that are whole pages apart, at equal distances (${crashes}): an attempt to find code in its memory layout.`
      : `One instruction of ${program}${where} uses ${distinct} addresses that are whole pages apart, ${episode.detail[2] === APART ? 'all over one memory layout' : 'at equal distances'} (${crashes}): an attempt to find mapped memory.`,
  evidence: { crash: judgeSearch, crashTraits: CRASH_TRAITS.farAccess | CRASH_TRAITS.jump },
  showsIn: (event) => event.type === 'LinuxKernelTrap',
});
