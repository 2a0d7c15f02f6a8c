import type { Severity } from '#schemas/detection.ts';
import type { KernelTrap, U64 } from '#schemas/events/event.ts';
import { processFacts } from '#schemas/events/process-facts.ts';
import { kernelFaultFacts } from '#schemas/kernel-fault.ts';
import { NULL_AREA } from './explained-faults.ts';

/** What a kernel fault shows, the strongest sign first. */
export const FAULT_KINDS = [
  'user-execution',
  'denied-execution',
  'user-access',
  'wrong-copy',
  'control-flow',
  'wild-jump',
  'corruption',
  'fault',
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

/** A kernel fault as the rule judges it. */
export interface JudgedFault {
  readonly kind: FaultKind;
  /** True if the kernel worked for the program, as in a system call. */
  readonly inProcess: boolean;
  readonly severity: Severity;
  /** The report in the words of the kernel. */
  readonly report: string;
  /** Function or instruction, and the accessed address. The address is empty if it is unknown. */
  readonly place: string;
  readonly address: string;
}

/** First address above the user half, with the widest virtual addresses. */
const USER_END = 2n ** 56n;

/** Words of the kernel. Reports with an accessed address are judged by it, because some words also stand for others. */
const WORDS: readonly (readonly [FaultKind, RegExp])[] = [
  ['user-execution', /execute userspace code|execution of user memory|attempted to execute user page/],
  ['denied-execution', /(?:NX|exec)-protected page|execute from non-executable memory/],
  ['user-access', /access to user memory outside uaccess|attempted to (?:read|write|access) user page/],
  ['wrong-copy', /^usercopy: |detected buffer overflow/],
  ['control-flow', /CFI failure|Missing ENDBR|control protection|stack-protector: |Oops - (?:CFI|BTI|FPAC)/],
  ['corruption', /^BUG: K(?:ASAN|FENCE): |^refcount_t: |^list_(?:add|del) |^BUG \S+ \(|kernel BUG at mm\/sl[ua]b/i],
];
/** Checks of the kernel for addresses that are no user memory: a null pointer with an offset. */
const NULL_POINTER = /null-ptr-deref/;

/** Names of threads of the kernel, for reports that do not show the context. */
const KERNEL_THREAD =
  /^(?:(?:swapper|kworker|ksoftirqd|migration|cpuhp|irq|jbd2|watchdog|idle_inject|rcu\w+|xfs\w*|kdmflush)\/|(?:kthreadd|kswapd\d+|kcompactd\d+|khugepaged|ksmd|rcu_\w+|kdevtmpfs|kauditd|md\d+_\w+|loop\d+|scsi_eh_\d+|nfsd|lockd|z_\w+|txg_\w+|arc_\w+|dbu_evict|l2arc_feed|kblockd|writeback|oom_reaper|swapper|btrfs-[\w-]+|nv_queue)$)/;
/** Modules that are not part of the kernel: proprietary, out of tree, unsigned or forced. */
const FOREIGN_MODULES = /[POEF]/;

/** Returns what a kernel fault shows and how severe it is alone. Pure. */
export function judgeKernelFault(trap: KernelTrap): JudgedFault {
  const facts = kernelFaultFacts(trap);
  const report = facts.report ?? (trap.trap.type === 'Generic' ? trap.trap.description : wordsOf(trap));
  const kind = kindOf(trap, report);
  const inProcess = facts.context === undefined ? !isThread(trap) : facts.context === 'process';
  const isForeign = FOREIGN_MODULES.test(facts.taint ?? '');
  const isRoot = processFacts(trap)?.uid === 0;
  const address = trap.trap.type === 'Segfault' ? hexadecimal(trap.trap.location) : '';
  return {
    kind,
    inProcess,
    severity: inProcess ? severityInProcess(kind, isForeign, isRoot, processFacts(trap)?.uid) : severityElsewhere(kind),
    report,
    place: facts.symbol ?? (trap.ip === 0 ? '' : hexadecimal(trap.ip)),
    address,
  };
}

function kindOf({ trap, errcode }: KernelTrap, report: string): FaultKind {
  if (trap.type !== 'Segfault') {
    if (NULL_POINTER.test(report)) return 'fault';
    return WORDS.find(([, words]) => words.test(report))?.[0] ?? 'fault';
  }
  const isUser = trap.location >= NULL_AREA && BigInt(trap.location) < USER_END;
  const isDenied = errcode.reason === 'ProtectionFault';
  if (errcode.instruction_fetch) {
    if (isDenied) return isUser ? 'user-execution' : 'denied-execution';
    return isUser ? 'wild-jump' : 'fault';
  }
  return isUser && isDenied ? 'user-access' : 'fault';
}

function severityInProcess(
  kind: FaultKind,
  isForeign: boolean,
  isRoot: boolean,
  uid: number | null | undefined,
): Severity {
  switch (kind) {
    case 'user-execution':
      return 'high';
    case 'denied-execution':
    case 'user-access':
    case 'wrong-copy':
      return isForeign || isRoot ? 'medium' : 'high';
    case 'control-flow':
      // Checks of pointer types also fail for modules with a wrong declaration, mostly while root loads or removes them.
      return isForeign || isRoot || uid === null || uid === undefined ? 'medium' : 'high';
    case 'wild-jump':
    case 'corruption':
      return isForeign || isRoot ? 'low' : 'medium';
    default:
      return 'low';
  }
}

function severityElsewhere(kind: FaultKind): Severity {
  return kind === 'fault' ? 'info' : 'low';
}

function isThread({ pid, procname }: KernelTrap): boolean {
  return pid === 0 || KERNEL_THREAD.test(procname);
}

function wordsOf({ trap, errcode }: KernelTrap): string {
  if (trap.type === 'InvalidOpcode') return 'invalid opcode';
  if (trap.type === 'GeneralProtectionFault') return 'general protection fault';
  const access = errcode.instruction_fetch ? 'instruction fetch' : errcode.access_type.toLowerCase();
  return `page fault by a ${access}`;
}

function hexadecimal(value: U64): string {
  return `0x${value.toString(16)}`;
}
