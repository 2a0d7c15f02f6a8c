/** A line that reports a fault of a user process but produces no event. */
export interface UnreadFault {
  /** The kind of the message. */
  readonly form: string;
  /** Process id, if the line contains it. */
  readonly pid: number | null;
}

const MARKS =
  /fault|fatal signal|: unhandled |exception|undefined instruction|illegal instruction|protection|stack segment|\] trap |terminating task|occurred at|Capturing crash|SIG(?:SEGV|BUS|ILL|FPE)|\bbus error/i;

/** Most specific first; the first match sets the form. A capture group, if any, is the process id. */
const FORMS: readonly (readonly [form: string, pattern: RegExp])[] = [
  ['fatal signal', /potentially unexpected fatal signal /],
  ['PaX', /^PAX: terminating task: [\s\S]{1,4096}\):(\d{1,10}), uid/],
  [
    'grsecurity',
    /^grsec: [\s\S]{0,200}(?:Segmentation fault|Illegal instruction|Bus error|Abort) occurred at [\s\S]{1,4096}?\[[\s\S]{0,20}?:(\d{1,10})\]/,
  ],
  ['WSL', /^WSL \(\d+ - CaptureCrash\): Capturing crash for pid: (\d{1,10})/],
  ['arm fault status', /^Unhandled (?:fault|prefetch abort): /],
  ['s390 user fault', /^User process fault: /],
  ['page fault report', /^do_page_fault\(\)/],
  ['undefined instruction', /^[\s\S]{1,30}: undefined instruction: pc=/],
  ['x86 trap', /\[(\d{1,10})\] (?:trap |general protection|invalid opcode|control protection|stack segment)/],
  [
    'signal message',
    /^[\s\S]{0,30}(?:\[(\d{1,10})\]|\(\d{1,10}\)|[^\]:]): (?:unhandled |[^[\]]{0,40}\b(?:segfault|page fault|SIGSEGV|SIGBUS|SIGILL|SIGFPE|illegal instruction|bus error|floating point exception|[a-z]+ exception)\b)/i,
  ],
];
/** Kernel reports about the kernel itself, and messages of daemons about their own work. */
const LOOK_ALIKES =
  /^(?:CPU: |BUG|Oops|INFO|WARNING|Internal error|Unable to handle kernel|Kernel |printk|watchdog|systemd|audit|EXT4-fs|XFS|BTRFS|NFS|NMI|mce|EDAC|DMAR|AMD-Vi|iommu|arm-smmu)|page allocation|hung_task|output lines suppressed|\bkernel (?:paging|NULL|BUG)/i;

/** Recognises a line that looks like a fault of a user process. Call it for lines that no reader accepted. */
export function readUnreadFault(text: string): UnreadFault | null {
  if (!MARKS.test(text) || LOOK_ALIKES.test(text)) return null;
  for (const [form, pattern] of FORMS) {
    const match = pattern.exec(text);
    if (match) return { form, pid: match[1] === undefined ? null : Number(match[1]) };
  }
  return null;
}
