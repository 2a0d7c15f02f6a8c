import { execFile } from 'node:child_process';
import { mkdir, open } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { packageDetector } from '#deploy/packages/detector/package.ts';
import { type DetectorCommand, followLog, type Server } from './follow-log.ts';

const RECORDED = fileURLToPath(new URL('../fixtures/kmsg/probe-plt-step16.kmsg', import.meta.url));
/** Folder with Debian's library packages for arm64. */
const LIBRARIES = '/usr/aarch64-linux-gnu';
/** `e_machine` of an ELF file for arm64. */
const AARCH64 = 183;
const INSTALLED = 'usr/bin/trapline-detector';

/**
 * Builds the .deb and the .rpm for arm64 and unpacks both. Both must contain the same program. Runs it under qemu: once
 * on a recorded log, where its events must equal those of the program of this machine, and once following a log.
 * Returns the number of recorded events.
 */
export async function checkArm64(native: DetectorCommand, server: Server, folder: string): Promise<number> {
  const { deb = '', rpm = '' } = await packageDetector(folder, ['deb', 'rpm'], { arch: 'arm64', level: 0 });
  const [program, other] = [await unpackDeb(deb, folder), await unpackRpm(rpm, folder)].map((root) =>
    path.join(root, INSTALLED),
  ) as [string, string];
  await requireArm64(program);
  await output('cmp', [program, other]);
  const emulated = { command: 'qemu-aarch64', args: ['-L', LIBRARIES, program] };
  const expected = await eventsOf(native);
  if ((await eventsOf(emulated)) !== expected)
    throw new Error(`${program} reads other events from ${RECORDED} than the program of this machine`);
  await followLog(emulated, server, folder);
  return expected.split('\n').length - 1;
}

async function unpackDeb(deb: string, folder: string): Promise<string> {
  requireEqual('architecture of the .deb', await output('dpkg-deb', ['--field', deb, 'Architecture']), 'arm64\n');
  const root = path.join(folder, 'deb-arm64');
  await output('dpkg-deb', ['--extract', deb, root]);
  return root;
}

async function unpackRpm(rpm: string, folder: string): Promise<string> {
  const query = ['--query', '--package', rpm, '--queryformat', '%{ARCH}'];
  requireEqual('architecture of the .rpm', await output('rpm', query), 'aarch64');
  const root = path.join(folder, 'rpm-arm64');
  await mkdir(root);
  await output('rpm2archive', [rpm]);
  await output('tar', ['--extract', '--file', `${rpm}.tgz`, '--directory', root]);
  return root;
}

async function requireArm64(program: string): Promise<void> {
  const file = await open(program);
  try {
    const { buffer } = await file.read({ buffer: Buffer.alloc(20), position: 0 });
    requireEqual(`processor of ${program}`, buffer.readUInt16LE(18), AARCH64);
  } finally {
    await file.close();
  }
}

function eventsOf({ command, args }: DetectorCommand): Promise<string> {
  const options = ['--hostname', 'recorded', '--boot-time', '2026-01-01T00:00:00Z', '--to', 'stdout'];
  return output(command, [...args, '--from', RECORDED, ...options]);
}

function requireEqual<T>(subject: string, found: T, expected: T): void {
  if (found !== expected) throw new Error(`${subject}: ${found}, expected ${expected}`);
}

async function output(command: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, [...args], { maxBuffer: 64 * 2 ** 20 });
  return stdout;
}
