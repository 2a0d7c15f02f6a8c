import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** An S3-compatible server from the npm registry, s3rver 3.7.1. The package has no types. */
interface Server {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
  readonly store: Store;
}
interface Store {
  getResourcePath(bucket: string, key: string, resource: 'object'): string;
  putMetadata(bucket: string, key: string, metadata: object, md5: string): Promise<void>;
  putObject(object: StoredObject): Promise<{ readonly size: number; readonly md5: string }>;
}
interface StoredObject {
  readonly bucket: string;
  readonly key: string;
  readonly content: Buffer | Readable;
  readonly metadata: object;
}
const S3rver = createRequire(import.meta.url)('s3rver') as new (options: object) => Server;

export interface S3Server {
  readonly port: number;
  readonly endpoint: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  close(): Promise<void>;
}

/** Starts an S3-compatible server with one bucket in this process. Objects are files in `directory`. */
export async function startS3Server(directory: string): Promise<S3Server> {
  const bucket = 'trapline';
  await mkdir(directory, { recursive: true });
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: bucket }],
  });
  server.store.putObject = (object) => putWhole(server.store, object);
  const { port } = await server.run();
  return {
    port,
    endpoint: `http://127.0.0.1:${port}`,
    bucket,
    accessKeyId: 'S3RVER', // the only key of this server
    secretAccessKey: 'S3RVER',
    close: () => server.close(),
  };
}

/**
 * Stores an object atomically, as S3 does. This server truncates the file first, so an upload that a client aborts and
 * repeats could leave an empty object.
 */
async function putWhole(store: Store, { bucket, key, content, metadata }: StoredObject) {
  const bytes = Buffer.isBuffer(content) ? content : await buffer(content);
  const file = store.getResourcePath(bucket, key, 'object');
  await mkdir(dirname(file), { recursive: true });
  const staged = `${file}.${randomUUID()}`;
  await writeFile(staged, bytes);
  await rename(staged, file);
  const md5 = createHash('md5').update(bytes).digest('hex');
  await store.putMetadata(bucket, key, metadata, md5);
  return { size: bytes.length, md5 };
}
