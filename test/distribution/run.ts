import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT_BYTES = 256 * 2 ** 20;

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** Runs a program. Resolves to its standard output, rejects with its standard output and standard error. */
export async function run(program: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const env = { ...process.env, ...options.env };
  try {
    const { stdout } = await promisify(execFile)(program, args, { ...options, env, maxBuffer: MAX_OUTPUT_BYTES });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { readonly stdout?: string; readonly stderr?: string };
    throw new Error(`${program} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
  }
}
