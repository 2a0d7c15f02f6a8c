import { z } from 'zod';
import { CRASH_TRAITS } from '../evidence/crash-traits.ts';
import { addSensitiveCrash, isSensitive } from '../evidence/sensitive-programs.ts';
import { defineRule } from '../rule.ts';

export const rule = defineRule({
  id: 'sensitive-program-crash',
  order: 7,
  version: 1,
  name: 'Crash of a sensitive program',
  severity: 'low',
  registers: [],
  attack: [
    { tactic: 'TA0004', technique: 'T1068', name: 'Exploitation for Privilege Escalation' },
    { tactic: 'TA0001', technique: 'T1190', name: 'Exploit Public-Facing Application' },
  ],
  summary:
    'A program that authenticates users, grants privileges or starts other programs crashed. Such programs rarely crash by themselves: about once a year on an ordinary host.',
  runbook: {
    nextChecks: [
      'Check what the program did: its log lines just before the crash, the user and the client (`journalctl _COMM=PROGRAM`).',
      'Save the core dump (`coredumpctl info`) and look at the top frames. A function that parses input points to an attack; a library that was just updated does not.',
      'Check that the package is up to date. Search the security advisories of the program for the function that crashed.',
      'Look for new sessions, `sudo` records and set-user-ID files on the host after the crash.',
    ],
    falsePositives: [
      'An update replaced a library of the running program. The crash comes seconds after the entry in the log of the package manager.',
      'Failing memory or an unstable processor. Unrelated programs of the host also crash, and the kernel log contains machine-check lines.',
      'Too little memory. The out-of-memory killer or a failed allocation ends the program, and the kernel log shows it.',
    ],
  },
  statistics: {
    baseRate: 'A host uses six programs of the list, and each of them crashes once in five years.',
    falseAlarmsPerMonth: 0.1,
    falseAlarmForEach: 'update of a library under several running programs of the list',
    evasions: [
      {
        evasion: 'A program that is not in the list',
        price: 'Depends on the target. Other rules still judge the crashes.',
        days: null,
      },
    ],
  },
  thresholds: z.strictObject({
    quiet: z.number().positive().default(86_400).describe('Episode ends after this time without a crash (seconds)'),
    programs: z
      .string()
      .max(4_000)
      .default(
        'sshd, sshd-session, sudo, su, doas, login, passwd, pkexec, polkitd, systemd, systemd-logind, systemd-udevd, init, dbus-daemon, dbus-broker, cron, crond, unix_chkpwd, krb5kdc, sssd, auditd',
      )
      .describe('Sensitive programs, separated by commas'),
    mediumCrashes: z.number().int().min(2).default(3).describe('Medium from this many crashes'),
  }),
  severityOf: ({ crashes }, { mediumCrashes }) => (crashes >= mediumCrashes ? 'medium' : 'low'),
  message: (_, { program, where, crashes }) =>
    `${program}${where} crashed (${crashes}): a sensitive program, which hardly ever crashes by itself.`,
  evidence: {
    crash: addSensitiveCrash,
    crashTraits: CRASH_TRAITS.watched,
    watches: isSensitive,
    abort: addSensitiveCrash,
  },
});
