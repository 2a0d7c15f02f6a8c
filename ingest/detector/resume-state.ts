import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** What a detector of /dev/kmsg remembers between runs. Good for one boot only. */
export interface ResumeState {
  /** /proc/sys/kernel/random/boot_id: sequence numbers begin again with each boot. */
  readonly bootId: string;
  /** How records are numbered: by the kernel's sequence number (/dev/kmsg), or by their time (syslog(2)). */
  readonly numbering: 'sequence' | 'time';
  /** The wall clock at offset 0, as first computed in this boot: kept, so that an event read twice has the same time twice. */
  readonly bootTimeMs: number;
  /**
   * First record to read. Events leave in the order of their first lines: none that begins at it or later was acknowledged,
   * all that began before it were.
   */
  readonly nextSeq: number;
  /** Settings that were set on command in this boot. */
  readonly configured: Readonly<Record<string, string>>;
}

/** The state of a detector that has read nothing of this boot. */
export function freshState(bootId: string, bootTimeMs: number, numbering: ResumeState['numbering']): ResumeState {
  return { bootId, numbering, bootTimeMs, nextSeq: 0, configured: {} };
}

/** The state of this boot; `fresh` when the file is missing, unreadable, of another boot or of records that are numbered otherwise. */
export async function loadResumeState(path: string, fresh: ResumeState): Promise<ResumeState> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return fresh;
    throw error;
  }
  let saved: Partial<ResumeState>;
  try {
    saved = JSON.parse(text) as Partial<ResumeState>;
  } catch {
    return fresh;
  }
  if (saved === null || saved.bootId !== fresh.bootId) return fresh;
  // Files of earlier versions do not have it.
  if ((saved.numbering ?? 'sequence') !== fresh.numbering) return fresh;
  if (!Number.isSafeInteger(saved.nextSeq) || !Number.isFinite(saved.bootTimeMs)) return fresh;
  return { ...fresh, ...saved };
}

/** Replaces the file as a whole: after a crash it is the old one or the new one, never half of one. */
export async function saveResumeState(path: string, state: ResumeState): Promise<void> {
  const next = `${path}.next`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(next, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(state)}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
  await rename(next, path);
}
