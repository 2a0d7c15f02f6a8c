import type { Witness } from './witness.ts';

/**
 * A record in auditd's log, or in the kernel log if no auditd runs. For faults, the kernel prints its own line before
 * it; for aborts, it prints none by default.
 */
const RECORD = /^(?:audit: |node=(\S+) )?type=(?:ANOM_ABEND msg=|1701 )audit\((\d{1,10})\.(\d{3}):\d+\): (.*)$/s;
const MARK = /type=(?:ANOM_ABEND|1701) /;

export interface AuditRecord {
  readonly witness: Witness;
  /** Milliseconds since the epoch. */
  readonly timeMs: number;
  readonly hostname: string | null;
}

/** Reads the audit record of a process that ended abnormally; null for other text. */
export function readAuditAbend(text: string): AuditRecord | null {
  const match = MARK.test(text) ? RECORD.exec(text) : null;
  const witness = match && readAbendFields(match[4] as string);
  if (!match || !witness) return null;
  return { witness, timeMs: Number(match[2]) * 1000 + Number(match[3]), hostname: match[1] ?? null };
}

/**
 * `auid=… uid=33 gid=… ses=… pid=7 comm="nginx" exe="/usr/sbin/nginx" sig=6 res=1`. Untrusted strings are hexadecimal,
 * without quotes.
 */
export function readAbendFields(text: string): Witness | null {
  const pid = Number(/(?:^| )pid=(\d{1,10})(?: |$)/.exec(text)?.[1] ?? 0);
  const signal = Number(/ sig=(\d{1,2})(?: |$)/.exec(text)?.[1] ?? 0);
  const uid = /(?:^| )uid=(\d{1,10}) /.exec(text)?.[1];
  const comm = fieldOf(text, 'comm');
  const executable = fieldOf(text, 'exe');
  if (pid === 0 || signal === 0 || comm === null) return null;
  const process = {
    ...(executable === null ? {} : { executable }),
    ...(uid === undefined ? {} : { uid: Number(uid) }),
  };
  return { kind: 'audit', signal, pid, comm, process };
}

function fieldOf(text: string, name: string): string | null {
  const match = new RegExp(` ${name}=(?:"([^"]*)"|([0-9A-F]{2,8192})(?: |$))`).exec(text);
  if (!match) return null;
  return match[1] ?? Buffer.from(match[2] as string, 'hex').toString('utf8');
}
