import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { supervise } from './services/supervised-process.ts';

/** From now on temporary files of this process and of those that it starts are in a folder that goes when this process has ended, however it ends. */
export async function useOwnTemporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `trapline-${name}-`));
  // Servers without privileges have their folders below.
  await chmod(folder, 0o711);
  supervise({ command: 'sleep', args: ['infinity'], logFile: '/dev/null', removeAtEnd: folder });
  process.env.TMPDIR = folder;
  return folder;
}
