import { z } from 'zod';
import type { FaultKind } from '../evidence/kernel-fault-kinds.ts';
import { addKernelFault, severityOfFaults, summaryOf } from '../evidence/kernel-faults.ts';
import { defineRule } from '../rule.ts';

/** What each kind of fault means, for messages. */
const MEANINGS: Readonly<Record<FaultKind, string>> = {
  'user-execution': 'it refused to execute memory of a program, to which exploits redirect it',
  'denied-execution': 'it refused to execute data, as after a function pointer was overwritten',
  'user-access': 'it refused to use memory of a program outside of its copy functions',
  'wrong-copy': 'it refused to copy beyond the bounds of an object',
  'control-flow': 'a check of its control flow or of its stack failed',
  'wild-jump': 'it jumped to an unmapped address of user space',
  corruption: 'it found overwritten memory, or an object that was used after its release',
  fault: 'an invalid access or a failed assertion, mostly a bug in a driver or file system',
};

export const rule = defineRule({
  id: 'kernel-fault',
  order: 9,
  version: 1,
  name: 'Fault of the kernel',
  severity: 'low',
  registers: [],
  restsOn: { kind: 'faults' },
  attack: [{ tactic: 'TA0004', technique: 'T1068', name: 'Exploitation for Privilege Escalation' }],
  summary:
    'The kernel reported a fault of its own: it refused what exploits do, found corrupted memory, or failed while it worked for a program. A failed exploit of the kernel leaves this trace, and so do bugs of drivers.',
  runbook: {
    nextChecks: [
      'Read the complete report (`journalctl -k`, the folder of kdump, or `/sys/fs/pstore`). Save it before the host restarts.',
      'Find the program that the report names: its executable, user, parent and container. A new or unknown program of an ordinary user points to an attack.',
      'Check whether the faults stopped. An exploit that is tried again and then causes no more faults probably succeeded: treat the host as compromised from that moment.',
      'Search the changelogs and advisories of the kernel for the function in the report, and install the fix. Until then, take away what the exploit needs, such as unprivileged user namespaces or the module.',
      'Look for new set-user-ID files, loaded modules, accounts and processes of root after the first fault.',
    ],
    falsePositives: [
      'A bug in a driver or file system. The report shows the same function each time, often of a module, and other hosts with this kernel report it too.',
      'Modules that are not part of the kernel, such as graphics drivers or ZFS. The report says that the kernel is tainted (P, O, E). Such faults are at most of medium severity until they move, except execution of user memory.',
      'Failing memory. Reports of unrelated functions, and machine-check or EDAC messages before them. A memory test shows it.',
      'Tests of the kernel, such as syzkaller or LKDTM. Create an exception for the host.',
    ],
  },
  statistics: {
    baseRate:
      'A server reports one fault of its kernel in two years. Of 100 such faults, 60 are invalid accesses and failed assertions while the kernel works for a program, 30 happen in its threads or in interrupts, and 10 are checks of memory that fail because of a bug, half of them in modules from elsewhere. Four of the 100 are of medium severity, the others below.',
    falseAlarmsPerMonth: 0.041,
    falseAlarmForEach: 'kernel update with a bug that ordinary programs hit at several places',
    evasions: [
      {
        evasion: 'An exploit that succeeds at the first try',
        price: 'A reliable exploit for this kernel build. Exploits of freed memory often need several tries.',
        days: null,
      },
      {
        evasion: 'A panic at the first fault (`kernel.panic_on_oops`), before the detector can send the report',
        price: 'None. The log of kdump, pstore or a serial console still contains the report; `analyze` reads it.',
        days: null,
      },
      {
        evasion: 'An exploit whose faults happen in threads of the kernel or in interrupts',
        price: 'Depends on the bug. The detection is of low severity, or medium from three places.',
        days: null,
      },
      {
        evasion: 'Faults under another process name each time',
        price: 'None. Each name is a detection of its own, with the severity of its fault alone.',
        days: null,
      },
      {
        evasion: 'A data-only attack on a kernel that does not check the data',
        price: 'A bug that gives exact writes. The kernel reports nothing.',
        days: null,
      },
    ],
  },
  thresholds: z.strictObject({
    window: z
      .number()
      .positive()
      .default(86_400)
      .describe('Crashes of the program count if they are at most this old (seconds)'),
    quiet: z
      .number()
      .positive()
      .default(86_400)
      .describe('Episode ends after this time without a kernel fault (seconds)'),
    minPlaces: z
      .number()
      .int()
      .min(2)
      .default(3)
      .describe('Medium from this many distinct places or addresses in the context of one program'),
    highPlaces: z
      .number()
      .int()
      .min(2)
      .default(8)
      .describe('High from this many, if they belong to more than one function'),
  }),
  severityOf: severityOfFaults,
  message: (episode, { program, where, distinct }) => {
    const { kind, isAfterCrashes, report } = summaryOf(episode);
    const faults = `${episode.evidence} ${episode.evidence === 1 ? 'fault' : 'faults'}, ${distinct} distinct ${distinct === 1 ? 'place' : 'places'}`;
    const who =
      episode.procname === null
        ? `The kernel${where} failed in its own threads or in interrupts`
        : `The kernel${where} failed while it worked for ${program}`;
    const before = isAfterCrashes ? ' The program had crashed before.' : '';
    return `${who} (${faults}): ${MEANINGS[kind]}. The kernel reports "${report}".${before}`;
  },
  evidence: { kernelFault: addKernelFault },
});
