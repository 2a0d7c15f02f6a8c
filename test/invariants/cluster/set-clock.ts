import { writeFile } from 'node:fs/promises';

/** Writes the offset for libfaketime, which reads the file again within a second. */
export function setClock(file: string, offsetSeconds: number): Promise<void> {
  return writeFile(file, `${offsetSeconds < 0 ? '' : '+'}${offsetSeconds}\n`);
}
