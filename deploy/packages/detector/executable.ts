import { chmod, copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ARCHITECTURE_NAMES, type Architecture, ownArchitecture } from './manifest.ts';
import { runProgram } from './run-program.ts';

/**
 * Options for a process that follows a log for months: small heaps that are collected often, and no warning that
 * node:ffi is experimental.
 */
const V8_OPTIONS = ['--max-semi-space-size=1', '--optimize-for-size'];
const NODE_OPTIONS = [...V8_OPTIONS, '--disable-warning=ExperimentalWarning'];

export interface ExecutableOptions {
  /** The bundle to run. */
  readonly bundle: string;
  readonly output: string;
  readonly arch: Architecture;
  /** Directory for intermediate files. */
  readonly scratch: string;
}

/**
 * Builds a single executable application from the bundle and Node: the running binary, or the same version for another
 * architecture. Node is stripped first, because strip(1) does not accept the finished file. The program ignores
 * NODE_OPTIONS of the host.
 */
export async function buildExecutable({ bundle, output, arch, scratch }: ExecutableOptions): Promise<void> {
  const isOwn = arch === ownArchitecture();
  const node = join(scratch, 'node');
  const config = join(scratch, 'executable.json');
  if (isOwn) await copyFile(process.execPath, node);
  else await fetchNode(arch, node, scratch);
  await runProgram(isOwn ? 'strip' : `${ARCHITECTURE_NAMES[arch].gnu}-strip`, [node]);
  await writeFile(
    config,
    JSON.stringify({
      main: bundle,
      executable: node,
      output,
      disableExperimentalSEAWarning: true,
      // Compiled code is specific to this processor architecture.
      useCodeCache: isOwn,
      execArgv: NODE_OPTIONS,
      execArgvExtension: 'none',
    }),
  );
  // V8 rejects compiled code that was created with other options.
  await runProgram(process.execPath, [...V8_OPTIONS, '--build-sea', config]);
  await chmod(output, 0o755);
  await rm(node);
}

/**
 * Downloads Node of the running version for another architecture from the npm registry, which has a package with each
 * binary.
 */
async function fetchNode(arch: Architecture, target: string, scratch: string): Promise<void> {
  const name = `node-linux-${arch}@${process.versions.node}`;
  const packed = JSON.parse(
    await runProgram('npm', ['pack', '--json', '--pack-destination', scratch, name]),
  ) as unknown;
  const [{ filename }] = packed as [{ readonly filename: string }];
  const archive = join(scratch, filename);
  await runProgram('tar', ['-xzf', archive, '-C', scratch, '--strip-components=2', 'package/bin/node']);
  await rm(archive);
  await chmod(target, 0o755);
}
