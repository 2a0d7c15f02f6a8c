import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';

/** An S3-compatible server from the npm registry, s3rver 3.7.1; it comes without types. */
interface Server {
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
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

/** Starts an S3-compatible server with one bucket in this process. Objects are files of `directory`. */
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
