import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MARKER } from './backup-folder.ts';

/** Names that `backupName` returns: the time of the start. They sort by time. */
const NAME = /^trapline-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

/** Returns the name of a backup that begins now, for a folder of backups. */
export function backupName(now: Date): string {
  return `trapline-${now.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/** Returns the names of backups that are older than the newest `keep`. Other names are not considered. */
export function outdatedBackups(names: readonly string[], keep: number): string[] {
  return names
    .filter((name) => NAME.test(name))
    .toSorted()
    .slice(0, -keep);
}

/**
 * Deletes the complete backups of a folder that are older than the newest `keep`. Interrupted backups, and everything
 * with another name, stay. Returns the deleted names.
 */
export async function deleteOutdated(folder: string, keep: number): Promise<string[]> {
  const complete: string[] = [];
  for (const name of await readdir(folder))
    if (NAME.test(name) && (await isFile(join(folder, name, MARKER)))) complete.push(name);
  const outdated = outdatedBackups(complete, keep);
  for (const name of outdated) {
    // Without the marker, a deletion that is interrupted leaves no folder that looks complete.
    await rm(join(folder, name, MARKER));
    await rm(join(folder, name), { recursive: true });
  }
  return outdated;
}

function isFile(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isFile(),
    () => false,
  );
}
