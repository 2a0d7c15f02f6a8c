import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** State that a detector of /dev/kmsg keeps between runs. Valid for one boot only. */
export interface ResumeState {
  /** /proc/sys/kernel/random/boot_id. Sequence numbers restart with each boot. */
  readonly bootId: string;
  /**
   * The numbering of records: the kernel's sequence number (/dev/kmsg), or a number derived from their time
   * (syslog(2)).
   */
  readonly numbering: 'sequence' | 'time';
  /**
   * Wall clock at offset 0, as first computed in this boot. It is kept, so that an event that is read twice has the
   * same time.
   */
  readonly bootTimeMs: number;
  /**
   * First record to read. Events are sent in the order of their first lines. No event that starts at this record or
   * later was acknowledged; all earlier ones were.
   */
  readonly nextSeq: number;
  /** Settings that `--configure` set in this boot. */
  readonly configured: Readonly<Record<string, string>>;
}

/** Returns the state of a detector that has read no record of this boot. */
export function freshState(bootId: string, bootTimeMs: number, numbering: ResumeState['numbering']): ResumeState {
  return { bootId, numbering, bootTimeMs, nextSeq: 0, configured: {} };
}

/**
 * Loads the state of this boot. Returns `fresh` if the file is missing, unreadable, of another boot or of another
 * numbering.
 */
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
  // Files of earlier versions lack this field.
  if ((saved.numbering ?? 'sequence') !== fresh.numbering) return fresh;
  if (!Number.isSafeInteger(saved.nextSeq) || !Number.isFinite(saved.bootTimeMs)) return fresh;
  return { ...fresh, ...saved };
}

/** Replaces the file atomically: after a crash, it is either the old or the new one. */
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
