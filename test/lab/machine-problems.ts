import { spawnSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

const FILES = [
  { file: '/dev/kmsg', flags: 'r', purpose: 'to record crashes' },
  { file: '/proc/sys/kernel/print-fatal-signals', flags: 'r+', purpose: 'to switch dumps on and off' },
  { file: '/proc/sys/debug/exception-trace', flags: 'r+', purpose: 'to switch lines of faults on' },
] as const;
const PROGRAMS = [
  { program: 'gcc', from: 'gcc' },
  { program: 'readelf', from: 'binutils' },
] as const;

/**
 * Returns the problems that prevent the lab from running on this machine, each with its solution; empty if it can run.
 */
export function machineProblems(
  canOpen: (file: string, flags: string) => string | null = openError,
  hasProgram: (program: string) => boolean = runs,
): string[] {
  const files = FILES.flatMap(({ file, flags, purpose }) => {
    const code = canOpen(file, flags);
    return code === null ? [] : [`${file} cannot be opened ${purpose} (${code}): run as root, outside of a container`];
  });
  const programs = PROGRAMS.filter(({ program }) => !hasProgram(program));
  return [...files, ...programs.map(({ program, from }) => `${program} is missing: install the package ${from}`)];
}

function openError(file: string, flags: string): string | null {
  try {
    closeSync(openSync(file, flags));
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

function runs(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}
