import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type ByteSource, FileTooLarge, type StagedFile } from './port.ts';

/**
 * Writes a content to a new file in `folder` and flushes it to disk. `keepFile` receives the path of the file. Only one
 * chunk of the source is in memory at a time.
 */
export async function stageFile(
  source: ByteSource,
  { folder, maxBytes }: { readonly folder: string; readonly maxBytes: number },
  keepFile: (path: string, content: { readonly hash: string; readonly size: number }) => Promise<void>,
): Promise<StagedFile> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, randomUUID());
  const discard = () => rm(path, { force: true });
  const handle = await open(path, 'wx', 0o600);
  const digest = createHash('sha256');
  let size = 0;
  try {
    for await (const chunk of source) {
      size += chunk.length;
      if (size > maxBytes) throw new FileTooLarge(maxBytes);
      digest.update(chunk);
      await handle.writeFile(chunk);
    }
    await handle.sync();
  } catch (error) {
    await handle.close();
    await discard();
    throw error;
  }
  await handle.close();
  const hash = digest.digest('hex');
  return { hash, size, keep: () => keepFile(path, { hash, size }), discard };
}
