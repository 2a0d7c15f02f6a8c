import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const localServerSchema = z.object({ url: z.url(), pid: z.int().positive() });
export type LocalServer = z.infer<typeof localServerSchema>;

/** Writes `server.json` into the data directory, where the command line of this machine looks. Resolves to what takes it away again. */
export async function announceLocalServer(dataDir: string, server: LocalServer): Promise<() => Promise<void>> {
  const file = join(dataDir, 'server.json');
  await writeFile(`${file}.new`, `${JSON.stringify(server)}\n`, { mode: 0o600 });
  await rename(`${file}.new`, file);
  return async () => {
    // Not when a successor has already written its own.
    if ((await readServerFile(file))?.pid === server.pid) await rm(file, { force: true });
  };
}

/** The server that runs on this data directory; undefined when there is none, also when one was killed and left its file. */
export async function findLocalServer(dataDir: string): Promise<LocalServer | undefined> {
  const server = await readServerFile(join(dataDir, 'server.json'));
  return server !== undefined && isAlive(server.pid) ? server : undefined;
}

async function readServerFile(file: string): Promise<LocalServer | undefined> {
  try {
    return localServerSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch {
    return undefined; // none was started here, or the file is not ours
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // alive, and another user's
  }
}
