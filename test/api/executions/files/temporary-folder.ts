import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atEnd } from '#test/support/at-end.ts';

/** A new empty folder that goes when the tests of the file are through. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trapline-files-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
