import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/**
 * Runs a program to its end and returns its standard output. If it fails, rejects with the end of its standard error.
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], { maxBuffer: 64 * 1_048_576, ...options });
  return stdout;
}
