import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { servicesCache } from '../install-services.mjs';
import { makeOnce } from '../make-once.mjs';

const run = promisify(execFile);

/**
 * CPython as a Go module: a package registry has the newest version for machines whose distribution does not have it.
 * Linux x86-64 only.
 */
const MODULE = 'github.com/kluctl/go-embed-python';
const RELEASES: Readonly<Record<string, string>> = { '3.14': 'v0.0.0-3.14.6-20260610-1' };

interface ListedFile {
  readonly name: string;
  /** Bits of Go's `fs.FileMode`. The highest bit marks a folder. */
  readonly perm: number;
  readonly symlink?: string;
  readonly compressed?: boolean;
}

/**
 * Resolves to an interpreter of this version without pip, in the cache. Undefined for other versions, and on machines
 * without Go.
 */
export async function pythonFromGoModule(version: string): Promise<string | undefined> {
  const release = RELEASES[version];
  if (release === undefined || (await run('go', ['version']).catch(() => undefined)) === undefined) return undefined;
  const folder = path.join(servicesCache(), `python-${release}`);
  await makeOnce(folder, async (target) => {
    const { stdout } = await run('go', ['mod', 'download', '-json', `${MODULE}@${release}`]);
    const { Dir } = JSON.parse(stdout) as { readonly Dir: string };
    await unpack(path.join(Dir, 'python/internal/data/linux-amd64'), target);
  });
  return path.join(folder, 'bin', `python${version}`);
}

/** Copies the files that the module lists. The module contains large files in compressed form. */
async function unpack(source: string, target: string): Promise<void> {
  const { files } = JSON.parse(await readFile(path.join(source, 'files.json'), 'utf8')) as {
    readonly files: readonly ListedFile[];
  };
  await mkdir(target, { recursive: true });
  for (const { name, perm, symlink: link, compressed = false } of files) {
    const at = path.join(target, name);
    if (link !== undefined) await symlink(link, at);
    else if (perm >= 2 ** 31) await mkdir(at, { recursive: true });
    else {
      if (compressed) await writeFile(at, await promisify(gunzip)(await readFile(path.join(source, `${name}.gz`))));
      else await cp(path.join(source, name), at);
      await chmod(at, perm & 0o111 ? 0o755 : 0o644);
    }
  }
}
