import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { MANIFEST } from './manifest.ts';

const FILES = fileURLToPath(new URL('./files/', import.meta.url));
const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const NAME = MANIFEST.name;

export interface HostFile {
  /** Path below the root of the host. */
  readonly path: string;
  readonly from: string;
  readonly mode: number;
  /** True for configuration files, whose edits survive an upgrade. */
  readonly isConfig?: true;
  readonly gzip?: true;
}

/** Returns every file that a host package installs. */
export function hostFiles(executable: string): readonly HostFile[] {
  const doc = `usr/share/doc/${NAME}`;
  return [
    { path: `usr/bin/${NAME}`, from: executable, mode: 0o755 },
    { path: `usr/lib/systemd/system/${NAME}.service`, from: packaged(`${NAME}.service`), mode: 0o644 },
    { path: `usr/lib/sysctl.d/60-${NAME}.conf`, from: packaged('sysctl.conf'), mode: 0o644 },
    { path: `usr/lib/tmpfiles.d/${NAME}.conf`, from: packaged('tmpfiles.conf'), mode: 0o644 },
    { path: 'etc/trapline/detector.env', from: packaged('detector.env'), mode: 0o644, isConfig: true },
    { path: `usr/share/man/man8/${NAME}.8.gz`, from: packaged(`${NAME}.8`), mode: 0o644, gzip: true },
    { path: `${doc}/copyright`, from: join(ROOT, 'NOTICE'), mode: 0o644 },
    { path: `${doc}/changelog.gz`, from: join(ROOT, 'CHANGELOG.md'), mode: 0o644, gzip: true },
  ];
}

/** Returns the path of a file in `files/`. */
export function packaged(name: string): string {
  return join(FILES, name);
}

/** Writes the files below `root`. */
export async function layOut(files: readonly HostFile[], root: string): Promise<void> {
  for (const { path, from, mode, gzip } of files) {
    const to = join(root, path);
    await mkdir(dirname(to), { recursive: true, mode: 0o755 });
    if (gzip) await writeFile(to, gzipSync(await readFile(from), { level: 9 }));
    else await copyFile(from, to);
    await chmod(to, mode);
  }
}
