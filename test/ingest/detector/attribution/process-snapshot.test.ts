import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readBuildId } from '#ingest/detector/attribution/build-id.ts';
import { createProcessReader } from '#ingest/detector/attribution/process-snapshot.ts';
import { findMapping } from '#ingest/detector/attribution/read-maps.ts';

const BUILD_ID = 'd1c3e91906f6d93d24eb0ff95051b0abee561c80';
const MAPS = `55b9acf09000-55b9acf0a000 r--p 00000000 fe:00 4242                       /usr/sbin/nginx
55b9acf0a000-55b9acf0b000 r-xp 00001000 fe:00 4242                       /usr/sbin/nginx
7ffe2bbd1000-7ffe2bbf2000 rw-p 00000000 00:00 0                          [stack]
7f0000000000-7f0000001000 r-xp 00000000 fe:00 9                          /lib/a b.so (deleted)
`;

/** A 64-bit ELF file with the build id and a note of another type. */
function elf(): Buffer {
  const note = (type: number, name: string, content: Buffer): Buffer => {
    const head = Buffer.alloc(16);
    head.writeUInt32LE(4, 0);
    head.writeUInt32LE(content.length, 4);
    head.writeUInt32LE(type, 8);
    head.write(name, 12, 'latin1');
    return Buffer.concat([head, content]);
  };
  const notes = Buffer.concat([note(1, 'GNU\0', Buffer.alloc(16)), note(3, 'GNU\0', Buffer.from(BUILD_ID, 'hex'))]);
  const file = Buffer.alloc(64 + 56);
  file.write('\x7fELF\x02\x01\x01', 'latin1');
  file.writeBigUInt64LE(64n, 32);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(1, 56);
  file.writeUInt32LE(4, 64);
  file.writeBigUInt64LE(BigInt(file.length), 72);
  file.writeBigUInt64LE(BigInt(notes.length), 96);
  return Buffer.concat([file, notes]);
}

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'trapline-proc-'));
});
afterEach(() => rm(root, { recursive: true }));

async function process(pid: number, files: Readonly<Record<string, string>>, executable?: string): Promise<void> {
  const folder = join(root, 'proc', String(pid));
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  if (executable !== undefined) await symlink(executable, join(folder, 'exe'));
}
const status = (name: string, parent: number): string => `Name:\t${name}\nPPid:\t${parent}\nUid:\t33\t0\t0\t0\n`;

test('reads executable, build id, user, parent, unit and mapping of a process that still exists', async () => {
  const executable = join(root, 'nginx');
  await writeFile(executable, elf());
  const cgroup = '0::/system.slice/nginx.service\n';
  await process(7, { status: status('nginx', 1), maps: MAPS, cgroup }, executable);
  await process(1, { comm: 'systemd\n' });
  const reader = createProcessReader(root);
  const snapshot = reader.snapshot(7, 'nginx');
  expect(snapshot?.facts).toEqual({
    executable,
    build_id: BUILD_ID,
    uid: 33,
    parent: { pid: 1, name: 'systemd' },
    unit: 'nginx.service',
  });
  expect(snapshot && reader.mapping(snapshot, '000055b9acf0a2a3')).toEqual({
    file: 'nginx',
    vmastart: 0x55b9_acf0_a000,
    vmasize: 0x1000,
  });
  expect(snapshot && reader.mapping(snapshot, '1234')).toBeNull();
});

test('returns nothing for a process that has ended or has another name', async () => {
  await process(8, { status: status('other', 1) });
  const reader = createProcessReader(root);
  expect(reader.snapshot(8, 'nginx')).toBeNull();
  expect(reader.snapshot(9, 'nginx')).toBeNull();
});

test('returns the remaining facts of a process without memory', async () => {
  await process(7, { status: status('nginx', 0), cgroup: '0::/\n' });
  const reader = createProcessReader(root);
  expect(reader.snapshot(7, 'nginx')).toEqual({ pid: 7, maps: '', facts: { uid: 33 } });
});

test('returns nothing in a separate pid namespace', async () => {
  await process(7, { status: status('nginx', 0) });
  await mkdir(join(root, 'proc/self/ns'), { recursive: true });
  await symlink('pid:[4026532198]', join(root, 'proc/self/ns/pid'));
  expect(createProcessReader(root).snapshot(7, 'nginx')).toBeNull();
});

test('omits mappings without a file, and keeps spaces in names', () => {
  expect(findMapping(MAPS, 0x7ffe_2bbd_1000n)).toBeNull();
  expect(findMapping(MAPS, 0x7f00_0000_0fffn)?.path).toBe('/lib/a b.so (deleted)');
});

test.each([
  ['another format', Buffer.from('#!/bin/sh\n'.repeat(20))],
  ['a file that is cut short', elf().subarray(0, 70)],
])('finds no build id: %s', async (_case, content) => {
  const path = join(root, 'file');
  await writeFile(path, content);
  const fd = openSync(path, 'r');
  expect(readBuildId(fd)).toBeNull();
  closeSync(fd);
});

/**
 * Regression: a user could block the detector by replacing a mapped file with a FIFO and crashing the program, because
 * the detector opened the path and waited.
 */
test('a FIFO at the path of a mapped file does not block the reader', async () => {
  await mkdir(join(root, 'usr/sbin'), { recursive: true });
  execFileSync('mkfifo', [join(root, 'usr/sbin/nginx')]);
  await process(7, { status: status('nginx', 1), maps: MAPS, cgroup: '' });
  const reader = createProcessReader(root);
  const snapshot = reader.snapshot(7, 'nginx');
  expect(snapshot && reader.mapping(snapshot, '000055b9acf0a2a3')).toEqual({
    file: 'nginx',
    vmastart: 0x55b9_acf0_a000,
    vmasize: 0x1000,
  });
});
