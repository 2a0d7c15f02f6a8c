import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleDetector } from './bundle.ts';
import { buildDeb } from './deb.ts';
import { buildExecutable } from './executable.ts';
import { MANIFEST } from './manifest.ts';
import { buildNpmPackage } from './npm-package.ts';
import { buildRpm } from './rpm.ts';

/** Formats of the packaged detector. */
export const FORMATS = ['bundle', 'npm', 'executable', 'deb', 'rpm'] as const;
export type Format = (typeof FORMATS)[number];

/** Builds the detector in the formats, into the directory `output`; returns the path of each. `level` is that of the compression. */
export async function packageDetector(
  output: string,
  formats: readonly Format[],
  level: 1 | 6 = 6,
): Promise<Partial<Record<Format, string>>> {
  await mkdir(output, { recursive: true });
  const scratch = await mkdtemp(join(tmpdir(), 'trapline-package-'));
  try {
    const built: Partial<Record<Format, string>> = {};
    const bundle = join(output, `${MANIFEST.name}.cjs`);
    const executable = join(output, MANIFEST.name);
    await bundleDetector(bundle);
    built.bundle = bundle;
    if (formats.includes('npm')) built.npm = await buildNpmPackage({ bundle, output, scratch });
    if (formats.some((format) => format !== 'bundle' && format !== 'npm')) {
      await buildExecutable({ bundle, output: executable, scratch });
      built.executable = executable;
    }
    if (formats.includes('deb')) built.deb = await buildDeb({ executable, output, scratch, level });
    if (formats.includes('rpm')) built.rpm = await buildRpm({ executable, output, scratch, level });
    return built;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
