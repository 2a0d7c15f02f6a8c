import type { SegfaultErrorCode, U64 } from '#schemas/events/versions/v1.ts';
import type { FaultContext } from '#schemas/kernel-fault.ts';
import { parseAddress } from '../messages/address.ts';
import { readDumpRow } from '../messages/read-dump-row.ts';
import { armCode, kernelCode, x86Code } from './fault-code.ts';

/** What one line of a report adds to its beginning. */
export interface FaultDetail {
  readonly kind: 'process' | 'place' | 'other' | 'history' | 'end';
  readonly procname?: string;
  readonly pid?: number;
  readonly uid?: number;
  readonly taint?: string;
  readonly ip?: U64;
  readonly sp?: U64;
  readonly symbol?: string;
  readonly module?: string;
  readonly errcode?: SegfaultErrorCode | null;
  readonly context?: FaultContext;
}

const OTHER: FaultDetail = { kind: 'other' };
const SYMBOL = String.raw`(?<symbol>[A-Za-z_$][\w.$]{0,127}\+0x[0-9a-f]+\/0x[0-9a-f]+)(?: \[(?<module>[\w-]{1,64})[^\]]*\])?`;
/** x86, i386, arm64, arm, riscv and powerpc; and `:module:function` of 2.6.18. */
const PLACE = new RegExp(
  String.raw`^(?:RIP: (?<selector>[0-9a-f]{4}):\s*|EIP: (?:(?<selector32>[0-9a-f]{4}):)?\s*|EIP is at |IP: |PC is at |pc : |epc : |NIP ?:? *)(?:\[?<?(?<ip>[0-9a-f]{8,16})>?\]?(?=[\s>\]]|$)\s*)?(?:\[<[0-9a-f]{8,16}>\]\s*)?(?:0x(?<bare>[0-9a-f]{1,16})(?=\s|$)|:?(?:(?<old>\w{1,64}):)?${SYMBOL})?`,
);
const STACK = /(?:^RSP: [0-9a-f]{4}:|^(?:pc : .*)?\bsp : |\bSS:ESP [0-9a-f]{4}:)(?<sp>[0-9a-f]{8,16})\b/;
const TASK = /^(?:Read|Write) of size \d+ at addr [0-9a-f]+ by task (?<procname>[\s\S]{1,16})\/(?<pid>\d{1,10})\s*$/;
const CODE = /^#PF: error_code\(0x(?<x86>[0-9a-f]{4,8})\)|^ESR = 0x(?<arm>[0-9a-f]{8,16})/;
const TAINT = /(?:Not tainted|Tainted: (?<letters>[A-Z ]{1,40}?))(?= +\(?\d|\s*$)/;
/** Stacks of the past: of the allocation and the release of an object. */
const HISTORY =
  /^(?:Allocated by|Freed by|Last potentially|Second to last|The buggy address|kfence-#|freed by task|allocated by task)/;
const END = /^-{3}\[ end (?:trace|Kernel panic)|^={20,}/;
/** A frame of the call trace. The kernel marks frames of which it is not sure with a question mark. */
const FRAME = /^(?:\[<[0-9a-f]{8,16}>\] ?)?(?:\(?(?<name>[A-Za-z_][\w.]*)\+0x|<(?<mark>IRQ|SOFTIRQ|NMI|#DF)>)/;

const SYSTEM_CALL =
  /^(?:entry_SYSCALL|entry_SYSENTER|entry_INT80|do_syscall_64|do_fast_syscall|do_int80|system_call|sysenter|ia32_sys|syscall_call|el0_|el0t_|invoke_syscall|ret_fast_syscall|__sys_trace|handle_syscall|do_trap_ecall_u|ret_from_syscall)/;
const THREAD =
  /^(?:ret_from_fork|kthread$|worker_thread$|kernel_thread_helper|child_rip|ret_from_kernel_thread|kernel_init$)/;
const INTERRUPT =
  /^(?:gic_handle_irq|el1_irq|el1h_64_irq|el1_interrupt|__do_softirq|handle_softirqs|do_IRQ|__handle_irq|handle_irq|common_interrupt|irq_exit|run_timer_softirq|cpu_startup_entry|cpu_idle|start_secondary|do_idle)/;

/** Reads a line of a report after its beginning. Returns null for lines that belong to no report. */
export function readFaultDetail(line: string): FaultDetail | null {
  const text = line.trimStart();
  if (END.test(text)) return { kind: 'end' };
  if (HISTORY.test(text)) return { kind: 'history' };
  return readProcess(text) ?? readCode(text) ?? readPlace(text) ?? readFrame(text);
}

function readProcess(text: string): FaultDetail | null {
  const task = TASK.exec(text)?.groups;
  if (task)
    return {
      kind: 'other',
      procname: task.procname as string,
      pid: Number(task.pid),
      errcode: kernelCode(text.startsWith('W') ? 'Write' : 'Read'),
    };
  if (!text.startsWith('CPU: ') && !text.startsWith('Pid: ')) return null;
  const row = readDumpRow(text);
  if (row?.stage !== 1) return null;
  const values = new Map(row.values);
  const uid = values.get('UID');
  const taint = TAINT.exec(text);
  return {
    kind: 'process',
    procname: values.get('Comm') ?? '',
    pid: Number(values.get('PID')),
    ...(uid === undefined ? {} : { uid: Number(uid) }),
    ...(taint === null ? {} : { taint: (taint.groups?.letters ?? '').replace(/[G ]/g, '') }),
  };
}

function readCode(text: string): FaultDetail | null {
  const code = CODE.exec(text)?.groups;
  if (!code) return null;
  const errcode = code.x86 === undefined ? armCode(code.arm ?? '') : x86Code(code.x86);
  return { kind: 'other', errcode };
}

function readPlace(text: string): FaultDetail | null {
  const stack = STACK.exec(text)?.groups?.sp;
  const sp = stack === undefined ? null : parseAddress(stack);
  const place = PLACE.exec(text)?.groups;
  if (!place) return sp === null ? null : { kind: 'place', sp };
  const selector = place.selector ?? place.selector32;
  // The registers of the program, which the kernel prints after the call trace, show a system call.
  if (selector !== undefined && (Number.parseInt(selector, 16) & 3) === 3) return { kind: 'other', context: 'process' };
  const digits = place.ip ?? place.bare;
  const ip = digits === undefined ? null : parseAddress(digits);
  const module = place.module ?? place.old;
  return {
    kind: 'place',
    ...(ip === null ? {} : { ip }),
    ...(sp === null ? {} : { sp }),
    ...(place.symbol === undefined ? {} : { symbol: place.symbol }),
    ...(module === undefined ? {} : { module }),
  };
}

function readFrame(text: string): FaultDetail | null {
  if (text.startsWith('Workqueue: ')) return { kind: 'other', context: 'kernel thread' };
  const frame = FRAME.exec(text)?.groups;
  if (frame) {
    const context = frame.mark === undefined ? contextOf(frame.name as string) : 'interrupt';
    return context === undefined ? OTHER : { kind: 'other', context };
  }
  return BELONGS.test(text) ? OTHER : null;
}

function contextOf(name: string): FaultContext | undefined {
  if (SYSTEM_CALL.test(name)) return 'process';
  if (THREAD.test(name)) return 'kernel thread';
  return INTERRUPT.test(name) ? 'interrupt' : undefined;
}

/** Other lines of a report. They show that the report continues. */
const BELONGS =
  /^(?:-+\[ cut here|WARNING: |Modules linked in|Hardware name|Call Trace|Call trace|<\/?(?:TASK|EOI|EOE|IRQ)|\? |\[<|Code: |Stack:|PGD |#PF|R[A-Z0-9]{2}: |E[A-Z]{2}: |x\d+ ?: |r\d+ ?: |FS: |CS: |DS: |CR[0-4]: |DR[0-7]: |PKRU: |pstate: |lr : |Mem abort|Data abort|EC = |SET = |FSC = |EA = |ISV = |CM = |Process |task: |last sysfs|Tainted: |swapper pgtable|user pgtable)/;
