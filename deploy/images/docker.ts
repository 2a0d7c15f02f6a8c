import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

const MAX_OUTPUT_BYTES = 64 * 2 ** 20;
/** Maximum stop time: drain period 0, and the 10 seconds in which a process ends. */
const MAX_STOP_MS = 15_000;

/** Security options of the Compose files and the Helm chart. */
export const HARDENED = ['--read-only', '--cap-drop=ALL', '--security-opt=no-new-privileges', '--tmpfs=/tmp:mode=1777'];

/** Runs a command of the Docker client. Resolves to its standard output; rejects with its standard error. */
export async function docker(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)('docker', args, { maxBuffer: MAX_OUTPUT_BYTES });
  return stdout.trim();
}

/** Runs a command with inherited output. Rejects if it fails. */
export function runShown(program: string, args: readonly string[], directory: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: directory, stdio: ['ignore', 2, 2] });
    child.once('error', reject);
    child.once('exit', (code, signal) =>
      code === 0 ? resolve() : reject(new Error(`${program} ${args[0]} ended with ${code ?? signal}`)),
    );
  });
}

/** Returns the names of all files of an image. */
export async function filesOf(image: string): Promise<string[]> {
  return (await exported(image, ['--list'])).split('\n');
}

/** Returns the content of a file of an image, or the concatenated content of all files below a folder. */
export function readFiles(image: string, file: string): Promise<string> {
  return exported(image, ['--extract', '--to-stdout', file]);
}

async function exported(image: string, tar: readonly string[]): Promise<string> {
  const container = await docker('create', image);
  try {
    const { stdout } = await promisify(execFile)('sh', ['-c', 'docker export "$0" | tar "$@"', container, ...tar], {
      maxBuffer: MAX_OUTPUT_BYTES,
    });
    return stdout.trim();
  } finally {
    await docker('rm', '--volumes', container);
  }
}

/** Stops a container. Resolves to problems with the way it ended. */
export async function stopMeasured(container: string, name: string, report: (line: string) => void): Promise<string[]> {
  const stopping = Date.now();
  await docker('stop', '--time=60', container);
  const took = Date.now() - stopping;
  const code = await docker('inspect', '--format={{.State.ExitCode}}', container);
  report(`${name}: stopped after ${(took / 1_000).toFixed(1)} s with exit code ${code}`);
  const problems: string[] = [];
  if (code !== '0') problems.push(`${name} ended with exit code ${code}`);
  if (took > MAX_STOP_MS) problems.push(`${name} took ${took} ms to stop`);
  return problems;
}
