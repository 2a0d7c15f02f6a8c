import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { MANIFEST } from './manifest.ts';

const ENTRY = fileURLToPath(new URL('./program/main.ts', import.meta.url));

/** Returns the lock file paths of the packages whose code is in the detector. */
export async function bundledPackages(): Promise<ReadonlySet<string>> {
  const build = await rolldown({ input: ENTRY, platform: 'node', logLevel: 'warn' });
  try {
    const { output } = await build.generate({ format: 'cjs' });
    const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
    return new Set(
      modules.flatMap((id) => /node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
    );
  } finally {
    await build.close();
  }
}

/**
 * Bundles the detector and all its imports into one CommonJS file. An executable can embed compiled code only in this
 * format.
 */
export async function bundleDetector(file: string): Promise<void> {
  const build = await rolldown({
    input: ENTRY,
    platform: 'node',
    logLevel: 'warn',
    transform: { define: { 'process.env.TRAPLINE_DETECTOR_VERSION': JSON.stringify(MANIFEST.version) } },
  });
  try {
    const { output } = await build.write({
      file,
      format: 'cjs',
      minify: true,
      banner: '#!/usr/bin/env node',
      comments: { legal: true },
    });
    if (output.length !== 1)
      throw new Error(`the detector is not one file: ${output.map((part) => part.fileName).join(', ')}`);
  } finally {
    await build.close();
  }
}
