import type { KernelTrapType, SegfaultErrorCode, U64 } from '#schemas/events/versions/v1.ts';
import type { ProcessFacts } from '../attribution/process-facts.ts';
import { parseAddress } from './address.ts';
import { pageAccess } from './page-access.ts';
import { type Mapping, mappingHolds } from './read-mapping.ts';

/** The first line of a PaX report: the target of the jump. */
export interface PaxAttempt {
  readonly mapping: Mapping;
  /** True if the mapping belongs to a file. */
  readonly hasFile: boolean;
}

export interface PaxReport {
  readonly procname: string;
  readonly pid: number;
  readonly ip: U64;
  readonly sp: U64;
  readonly trap: KernelTrapType;
  readonly errcode: SegfaultErrorCode;
  readonly mapping: Mapping | null;
  readonly process: ProcessFacts;
}

// `pax_report_fault` of PaX: `PAX: execution attempt in: <file>, <start>-<end> <offset>`, then
// `PAX: terminating task: <path>(<comm>):<pid>, uid/euid: <uid>/<euid>, PC: <pc>, SP: <sp>`.
const ATTEMPT =
  /^PAX: (?:From [0-9a-f.:]{1,45}: )?execution attempt in: ([\s\S]{1,4096}), ([0-9a-f]{1,16})-([0-9a-f]{1,16}) [0-9a-f]{1,16}\s*$/;
const TERMINATING =
  /^PAX: terminating task: ([^()]{1,4096}|[\s\S]{1,4096})\(([\s\S]{0,16})\):(\d{1,10}), uid\/euid: (\d{1,10})\/\d{1,10}, PC: (?:0x)?([0-9a-f]{1,16}|\((?:null|nil)\)), SP: (?:0x)?([0-9a-f]{1,16}|\((?:null|nil)\))\s*$/;

/** Fast pre-check that avoids the regular expressions for most lines. */
export function maybePax(text: string): boolean {
  return text.startsWith('PAX: ');
}

/**
 * Reads the line with the mapping of the execution attempt. Returns null for other lines, and if nothing is mapped
 * there.
 */
export function readPaxAttempt(text: string): PaxAttempt | null {
  const match = ATTEMPT.exec(text);
  const start = match && parseAddress(match[2] as string);
  const end = match && parseAddress(match[3] as string);
  if (!match || start === null || end === null || end <= start) return null;
  const path = match[1] as string;
  const vmasize = Number(BigInt(end) - BigInt(start));
  return {
    mapping: { file: path.slice(path.lastIndexOf('/') + 1), vmastart: start, vmasize },
    hasFile: path.startsWith('/'),
  };
}

/**
 * Reads the line about a process that PaX killed because it tried to execute non-executable memory. It becomes a
 * segfault by an instruction fetch. `attempt` is the previous line. It is used only if its mapping contains the
 * instruction pointer.
 */
export function readPaxReport(text: string, attempt: PaxAttempt | null): PaxReport | null {
  const match = TERMINATING.exec(text);
  const ip = match && parseAddress(zeroed(match[5] as string));
  const sp = match && parseAddress(zeroed(match[6] as string));
  if (!match || ip === null || sp === null) return null;
  const held = attempt !== null && mappingHolds(attempt.mapping, ip) ? attempt : null;
  const executable = match[1] as string;
  return {
    procname: (match[2] as string).trimStart(),
    pid: Number(match[3]),
    ip,
    sp,
    trap: { type: 'Segfault', location: ip },
    errcode: pageAccess({ instruction: true, denied: held !== null }),
    mapping: held?.hasFile === true ? held.mapping : null,
    process: { ...(executable.startsWith('/') ? { executable } : {}), uid: Number(match[4]) },
  };
}

function zeroed(pointer: string): string {
  return pointer === '(nil)' ? '(null)' : pointer;
}
