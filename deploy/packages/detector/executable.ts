import { chmod, copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runProgram } from './run-program.ts';

/** Of a process that follows a log for months: small heaps, collected often, and no warning that node:ffi may change. */
const V8_OPTIONS = ['--max-semi-space-size=1', '--optimize-for-size'];
const NODE_OPTIONS = [...V8_OPTIONS, '--disable-warning=ExperimentalWarning'];

export interface ExecutableOptions {
  /** The bundle that it runs. */
  readonly bundle: string;
  readonly output: string;
  /** Directory for intermediate files. */
  readonly scratch: string;
}

/**
 * Makes a single executable of this Node and the bundle. Node is stripped first: afterwards strip(1) would not accept the file.
 * NODE_OPTIONS of the host do not reach the program.
 */
export async function buildExecutable({ bundle, output, scratch }: ExecutableOptions): Promise<void> {
  const node = join(scratch, 'node');
  const config = join(scratch, 'executable.json');
  await copyFile(process.execPath, node);
  await runProgram('strip', [node]);
  await writeFile(
    config,
    JSON.stringify({
      main: bundle,
      executable: node,
      output,
      disableExperimentalSEAWarning: true,
      useCodeCache: true,
      execArgv: NODE_OPTIONS,
      execArgvExtension: 'none',
    }),
  );
  // V8 rejects compiled code that was made under other options.
  await runProgram(process.execPath, [...V8_OPTIONS, '--build-sea', config]);
  await chmod(output, 0o755);
  await rm(node);
}
