import { chmod, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { supervise } from './services/supervised-process.ts';

/**
 * Creates a folder for the temporary files of this process and its children. The folder is removed when this process
 * ends, for whatever reason.
 */
export async function useOwnTemporaryFolder(name: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), `trapline-${name}-`));
  // Unprivileged servers have their folders inside this one.
  await chmod(folder, 0o711);
  supervise({ command: 'sleep', args: ['infinity'], logFile: '/dev/null', removeAtEnd: folder });
  process.env.TMPDIR = folder;
  return folder;
}
