import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleDetector } from './bundle.ts';
import { buildDeb } from './deb.ts';
import { buildExecutable } from './executable.ts';
import { type Architecture, MANIFEST, ownArchitecture } from './manifest.ts';
import { buildNpmPackage } from './npm-package.ts';
import { buildRpm } from './rpm.ts';

/** Formats of the packaged detector. */
export const FORMATS = ['bundle', 'npm', 'executable', 'deb', 'rpm'] as const;
export type Format = (typeof FORMATS)[number];

export interface PackageOptions {
  /** Default: the architecture of this machine. */
  readonly arch?: Architecture;
  /** Compression level; see `HostPackageOptions`. */
  readonly level?: 0 | 6;
}

/**
 * Builds the detector in the given formats into the directory `output`. Returns the path of each. Only executables
 * depend on the architecture.
 */
export async function packageDetector(
  output: string,
  formats: readonly Format[],
  { arch = ownArchitecture(), level = 6 }: PackageOptions = {},
): Promise<Partial<Record<Format, string>>> {
  await mkdir(output, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'trapline-package-'));
  try {
    const built: Partial<Record<Format, string>> = {};
    const bundle = join(output, `${MANIFEST.name}.cjs`);
    const executable = join(output, arch === ownArchitecture() ? MANIFEST.name : `${MANIFEST.name}-${arch}`);
    await bundleDetector(bundle);
    built.bundle = bundle;
    if (formats.includes('npm')) built.npm = await buildNpmPackage({ bundle, output, scratch });
    if (formats.some((format) => format !== 'bundle' && format !== 'npm')) {
      await buildExecutable({ bundle, output: executable, arch, scratch });
      built.executable = executable;
    }
    if (formats.includes('deb')) built.deb = await buildDeb({ executable, output, scratch, arch, level });
    if (formats.includes('rpm')) built.rpm = await buildRpm({ executable, output, scratch, arch, level });
    return built;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
