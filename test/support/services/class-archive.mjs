// Starts a Java service once, uses it and ends it, so that Java writes an archive of the loaded classes (class data
// sharing). Services that start with the archive need half the time and processor time: tests restart them often. Plain
// JavaScript: it runs at installation, on the machine's own Node.
import { spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Uses the quick compiler only, because the service runs for seconds. */
const QUICK = '-XX:TieredStopAtLevel=1';
/** Timeout for a busy machine, which takes many times as long. */
const PATIENCE_MS = 400_000;

/**
 * Creates the class archive of a Java service.
 * @param {string} archive path of the archive
 * @param {(folder: string) => Promise<{ args: readonly string[], serves: () => Promise<boolean>, use: () => Promise<void> }>} prepare
 *   receives the working folder of the service; returns the arguments of `java`, a function that resolves to true when the
 *   service serves, and a function that uses the service as tests do
 */
export async function makeClassArchive(archive, prepare) {
  // Next to the archive: a rename is not possible from another file system.
  const folder = mkdtempSync(`${archive}.part-`);
  try {
    const { args, serves, use } = await prepare(folder);
    const written = join(folder, 'classes.jsa');
    const service = spawn('java', [`-XX:ArchiveClassesAtExit=${written}`, QUICK, ...args], {
      cwd: folder,
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => service.once('exit', resolve));
    const overdue = setTimeout(() => service.kill('SIGKILL'), PATIENCE_MS);
    const runs = () => service.exitCode === null && service.signalCode === null;
    while (runs() && !(await serves())) await pause(50);
    const served = runs();
    // Without this use the archive contains only the classes of the start.
    if (served) await use().catch(() => {});
    service.kill('SIGTERM');
    await ended;
    clearTimeout(overdue);
    if (!served) throw new Error('the service ended before it served');
    renameSync(written, archive);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
