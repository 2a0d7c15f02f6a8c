import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { open, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Download } from './download.ts';

/** A file of this machine as an input: it is read while it is sent. Rejects when it does not exist. `type`: its media type. */
export async function openFile(
  path: string,
  options: { readonly type?: string; readonly name?: string } = {},
): Promise<File> {
  const type = options.type ?? 'application/octet-stream';
  return new File([await openAsBlob(path, { type })], options.name ?? basename(path), { type });
}

/**
 * Writes a download to a file, which is there whole or not at all; a folder gets it under the name the service calls it. Resolves to the path
 * of the file.
 */
export async function saveDownload(download: Download, to: string): Promise<string> {
  const isFolder = await stat(to).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const target = isFolder ? join(to, download.filename ?? 'download') : to;
  const temporary = join(dirname(target), `.${basename(target)}.${randomUUID()}`);
  try {
    const file = await open(temporary, 'wx');
    try {
      const reader = download.stream.getReader();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) await file.writeFile(piece.value);
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  return target;
}
