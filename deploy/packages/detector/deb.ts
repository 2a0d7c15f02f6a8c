import { createHash } from 'node:crypto';
import { chmod, copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostFiles, layOut, packaged } from './host-files.ts';
import { ARCHITECTURE_NAMES, type Architecture, MANIFEST } from './manifest.ts';
import { runProgram } from './run-program.ts';

const SCRIPTS = ['postinst', 'prerm', 'postrm'];

export interface HostPackageOptions {
  readonly executable: string;
  /** Architecture of the executable. */
  readonly arch: Architecture;
  /** Directory for the package. */
  readonly output: string;
  /** Directory for intermediate files. */
  readonly scratch: string;
  /** Compression level of xz. 6 takes a minute of CPU time, 0 a tenth of that, for test builds. */
  readonly level: 0 | 6;
}

/** Builds the package for Debian and Ubuntu with dpkg-deb; returns its path. */
export async function buildDeb({ executable, output, scratch, arch, level }: HostPackageOptions): Promise<string> {
  const root = join(scratch, 'deb');
  const control = join(root, 'DEBIAN');
  const files = hostFiles(executable);
  await layOut(files, root);
  await mkdir(control, { recursive: true, mode: 0o755 });
  const bytes = await Promise.all(files.map(async ({ path }) => (await readFile(join(root, path))).length));
  const installedKib = Math.ceil(bytes.reduce((sum, size) => sum + size, 0) / 1024);
  await writeFile(join(control, 'control'), controlFile(ARCHITECTURE_NAMES[arch].deb, installedKib));
  await writeFile(
    join(control, 'conffiles'),
    lines(files.filter((file) => file.isConfig).map(({ path }) => `/${path}`)),
  );
  await writeFile(join(control, 'md5sums'), lines(await Promise.all(files.map(({ path }) => md5Line(root, path)))));
  for (const script of SCRIPTS) {
    await copyFile(packaged(script), join(control, script));
    await chmod(join(control, script), 0o755);
  }
  const target = join(output, `${MANIFEST.name}_${MANIFEST.version}_${ARCHITECTURE_NAMES[arch].deb}.deb`);
  await runProgram('dpkg-deb', ['--root-owner-group', '-Zxz', `-z${level}`, '--build', root, target]);
  return target;
}

function controlFile(arch: string, installedKib: number): string {
  return lines([
    `Package: ${MANIFEST.name}`,
    `Version: ${MANIFEST.version}`,
    `Architecture: ${arch}`,
    `Maintainer: ${MANIFEST.maintainer}`,
    `Installed-Size: ${installedKib}`,
    // Libraries that Node links to: glibc 2.28 or later, and libatomic.
    'Depends: libc6 (>= 2.28), libstdc++6 (>= 6), libatomic1',
    'Recommends: ca-certificates, procps',
    'Section: admin',
    'Priority: optional',
    `Description: ${MANIFEST.summary}`,
    ` ${MANIFEST.description}`,
  ]);
}

async function md5Line(root: string, path: string): Promise<string> {
  return `${createHash('md5')
    .update(await readFile(join(root, path)))
    .digest('hex')}  ${path}`;
}

function lines(all: readonly string[]): string {
  return `${all.join('\n')}\n`;
}
