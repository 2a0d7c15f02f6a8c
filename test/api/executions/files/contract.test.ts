import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { createFolderStore } from '#api/executions/files/folder-store.ts';
import { type FileStore, FileTooLarge } from '#api/executions/files/port.ts';
import { createS3Store } from '#api/executions/files/s3-store.ts';
import { startS3Server } from '#test/support/services/s3-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = await temporaryFolder();
const server = await startS3Server(join(folder, 's3'));
const { port } = server;
const s3At = (port: number) =>
  createS3Store({
    endpoint: `http://127.0.0.1:${port}`,
    region: 'eu-central-1',
    bucket: server.bucket,
    accessKeyId: server.accessKeyId,
    secretAccessKey: server.secretAccessKey,
    staging: join(folder, 's3-staging'),
  });
const s3 = s3At(port);
const local = createFolderStore({ folder: join(folder, 'local') });
afterAll(async () => {
  await s3.close();
  await server.close();
});

const LIMITS = { maxBytes: 20 * 2 ** 20 };

async function textOf(stream: Readable | undefined): Promise<Buffer | undefined> {
  if (stream === undefined) return undefined;
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

describe.each<[string, FileStore, string]>([
  ['a folder', local, join(folder, 'local', 'staged')],
  ['an S3-compatible server', s3, join(folder, 's3-staging')],
])('file store: %s', (_, store, staging) => {
  it('returns stored content by its SHA-256, whatever the size', async () => {
    for (const size of [0, 1, 70_000, 6 * 2 ** 20]) {
      const bytes = randomBytes(size);
      const staged = await store.stage(pieces(bytes), LIMITS);
      expect(staged).toMatchObject({ hash: createHash('sha256').update(bytes).digest('hex'), size });
      expect(await store.read(staged.hash)).toBe(undefined); // not before it is stored
      await staged.keep();
      await staged.discard();
      expect((await textOf(await store.read(staged.hash)))?.equals(bytes)).toBe(true);
    }
    expect(await readdir(staging)).toEqual([]);
  });

  it('stores the same content twice, also concurrently', async () => {
    const bytes = randomBytes(1000);
    const both = await Promise.all([store.stage([bytes], LIMITS), store.stage([bytes], LIMITS)]);
    await Promise.all(both.map((staged) => staged.keep()));
    expect(both[0].hash).toBe(both[1].hash);
    expect(await textOf(await store.read(both[0].hash))).toEqual(bytes);
    expect(await readdir(staging)).toEqual([]);
  });

  it('leaves nothing of content that is too large, incomplete or discarded', async () => {
    await expect(store.stage(pieces(randomBytes(2000)), { maxBytes: 1999 })).rejects.toThrow(FileTooLarge);
    async function* broken() {
      yield randomBytes(10);
      throw new Error('cut short');
    }
    await expect(store.stage(broken(), LIMITS)).rejects.toThrow('cut short');
    const staged = await store.stage([randomBytes(10)], LIMITS);
    await staged.discard();
    expect(await store.read(staged.hash)).toBe(undefined);
    expect(await readdir(staging)).toEqual([]);
  });

  it('reports content that cannot be read again while it is stored', async () => {
    const staged = await store.stage([randomBytes(10)], LIMITS);
    for (const name of await readdir(staging)) await rm(join(staging, name));
    await expect(staged.keep()).rejects.toThrow('ENOENT');
    expect(await store.read(staged.hash)).toBe(undefined);
  });

  it('deletes idempotently, and rejects names that are not hashes', async () => {
    const staged = await store.stage([randomBytes(10)], LIMITS);
    await staged.keep();
    await store.delete([staged.hash, 'a'.repeat(64)]);
    expect(await store.read(staged.hash)).toBe(undefined);
    for (const name of ['../../etc/passwd', '', 'A'.repeat(64)]) {
      await expect(store.read(name)).rejects.toThrow('not a SHA-256');
      await expect(store.delete([name])).rejects.toThrow('not a SHA-256');
    }
  });
});

describe('file store: an S3-compatible server', () => {
  it('rejects if the disk fails while a content is sent, and the process continues', async () => {
    const staged = await s3.stage([randomBytes(10)], LIMITS);
    const [name = ''] = await readdir(join(folder, 's3-staging'));
    const path = join(folder, 's3-staging', name);
    await rm(path);
    await mkdir(path); // can be opened, but not read
    await expect(staged.keep()).rejects.toThrow('EISDIR');
    await rm(path, { recursive: true });
  });

  it('retries a content if the store was busy or closed the connection, but not if it rejected', async () => {
    const refusals = [503, 'broken', 403] as const;
    let sent = 0;
    const gateway = createServer((incoming, answer) => {
      const refusal = incoming.method === 'PUT' ? refusals[sent++] : undefined;
      if (refusal === 'broken') incoming.socket.destroy();
      else if (refusal !== undefined) incoming.resume().on('end', () => answer.writeHead(refusal).end());
      else {
        const { method, url, headers } = incoming;
        const passed = request({ port, method, path: url, headers }, (reply) => {
          answer.writeHead(reply.statusCode ?? 500, reply.headers);
          reply.pipe(answer);
        });
        incoming.pipe(passed);
      }
    });
    await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
    const through = s3At((gateway.address() as AddressInfo).port);
    onTestFinished(async () => {
      await through.close();
      gateway.close();
    });

    const bytes = randomBytes(200_000);
    const refused = await through.stage([bytes], LIMITS);
    await expect(refused.keep()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    await refused.discard();
    expect(sent).toBe(3);
    const staged = await through.stage([bytes], LIMITS);
    await staged.keep();
    expect((await textOf(await through.read(staged.hash)))?.equals(bytes)).toBe(true);
    expect(sent).toBe(4);
  });
});

function* pieces(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}
