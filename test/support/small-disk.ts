import { mkdir, mkdtemp, open, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A real disk of a few hundred MiB that one process sees at a path and that disappears with the process: a tmpfs in a
 * mount namespace. The test accesses it through /proc.
 */
export interface SmallDisk {
  /** Temporary folder on the usual disk that contains `folder`. */
  readonly home: string;
  /** Mount point of the disk as seen by the process. */
  readonly folder: string;
  /** Prefix for the command of the process. */
  readonly wrap: { readonly command: string; readonly args: readonly string[] };
  /** Fills the disk except for `leaveBytes`. */
  fill(pid: number, leaveBytes: number): Promise<void>;
  /** Frees the space. */
  empty(pid: number): Promise<void>;
}

export async function smallDisk(mebibytes: number): Promise<SmallDisk> {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-disk-'));
  const folder = path.join(home, 'data');
  await mkdir(folder);
  const asRoot = process.getuid?.() === 0 ? [] : ['--map-root-user'];
  const mount = `mount -t tmpfs -o size=${mebibytes}m,mode=0755 tmpfs "$0" && exec "$@"`;
  const filler = (pid: number) => path.join(`/proc/${pid}/root`, folder, 'filler');
  return {
    home,
    folder,
    wrap: { command: 'unshare', args: [...asRoot, '--mount', 'sh', '-c', mount, folder] },
    async fill(pid, leaveBytes) {
      const { bavail, bsize } = await statfs(path.dirname(filler(pid)));
      const file = await open(filler(pid), 'a');
      const block = Buffer.alloc(2 ** 20);
      try {
        for (let left = bavail * bsize - leaveBytes; left > 0; left -= block.length)
          await file.write(block, 0, Math.min(left, block.length));
      } finally {
        await file.close();
      }
    },
    empty: (pid) => rm(filler(pid)),
  };
}
