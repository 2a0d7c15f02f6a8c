import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '#test/support/at-end.ts';

/** Creates an empty folder that is removed at the end of the test file. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trapline-files-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
