// Starts a Java service once, lets it serve and ends it, so that Java writes down the classes it loaded (class data sharing). Services
// that start with that archive are up in half the time and CPU: tests restart them often. Plain JavaScript: it runs at
// installation, on the machine's own Node.
import { spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Only the quick compiler: the service runs for seconds. */
const QUICK = '-XX:TieredStopAtLevel=1';
/** A machine that is busy with something else takes many times as long. */
const PATIENCE_MS = 400_000;

/**
 * @param {string} archive file to make
 * @param {(folder: string) => Promise<{ args: readonly string[], serves: () => Promise<boolean>, use: () => Promise<void> }>} prepare gets the
 *   working folder of the service and returns the arguments of `java`, whether the service serves, and what a test does with it
 */
export async function makeClassArchive(archive, prepare) {
  // Next to the archive: from another file system it could not be moved into place in one step.
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
    // Without it the archive holds only the classes of the start.
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
