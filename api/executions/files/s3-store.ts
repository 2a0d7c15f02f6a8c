import { open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { retryDelay } from '#api/jobs/back-off.ts';
import { CONTENT_HASH, type FileStore } from './port.ts';
import { stageFile } from './stage-file.ts';

export interface S3Settings {
  /** For example `https://s3.example.org`. If undefined, the default endpoint of the region. */
  readonly endpoint?: string | undefined;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Prefix of every object key. Default `files/`. */
  readonly prefix?: string | undefined;
  /** Directory for incomplete contents. Length and hash must be known before the upload. */
  readonly staging: string;
}

/** Maximum number of keys of one `DeleteObjects` request. */
const MAX_DELETED = 1000;
const REQUEST_MS = 60_000;
const MAX_ATTEMPTS = 3;

/** Stores contents in an S3 bucket, as `files/ab/cdef…`. The bucket must exist. */
export function createS3Store(settings: S3Settings): FileStore {
  const { endpoint, region, bucket, accessKeyId, secretAccessKey, prefix = 'files/', staging } = settings;
  const client = new S3Client({
    region,
    credentials: { accessKeyId, secretAccessKey },
    maxAttempts: MAX_ATTEMPTS,
    requestHandler: { connectionTimeout: 5_000, requestTimeout: REQUEST_MS, throwOnRequestTimeout: true },
    // Other vendors reject trailing checksums. They are not needed, because the key of a content is its checksum.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
  });
  const keyOf = (hash: string) => {
    if (!CONTENT_HASH.test(hash)) throw new TypeError('not a SHA-256');
    return `${prefix}${hash.slice(0, 2)}/${hash.slice(2)}`;
  };

  async function isThere(hash: string): Promise<boolean> {
    try {
      await client.send(new HeadObjectCommand({ Bucket: bucket, Key: keyOf(hash) }));
      return true;
    } catch (error) {
      if (isMissing(error)) return false;
      throw error;
    }
  }

  /**
   * Uploads a staged file with retries. The client cannot retry a stream, because it cannot rewind it. It does not
   * handle stream errors either: an unreadable file would end the process.
   */
  async function put(path: string, hash: string, size: number): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const body = (await open(path)).createReadStream();
      const unreadable = new AbortController();
      body.on('error', () => unreadable.abort());
      const content = { Body: body, ContentLength: size, ContentType: 'application/octet-stream' };
      try {
        const command = new PutObjectCommand({ Bucket: bucket, Key: keyOf(hash), ...content });
        await client.send(command, { abortSignal: unreadable.signal });
        return;
      } catch (error) {
        if (body.errored !== null) throw body.errored;
        if (attempt === MAX_ATTEMPTS || !isPassing(error)) throw error;
      } finally {
        body.destroy();
      }
      await delay(retryDelay(attempt));
    }
  }

  return {
    stage: (source, { maxBytes }) =>
      stageFile(source, { folder: staging, maxBytes }, async (path, { hash, size }) => {
        if (!(await isThere(hash))) await put(path, hash, size);
        await rm(path, { force: true });
      }),
    async read(hash) {
      try {
        const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(hash) }));
        return Body instanceof Readable ? Body : Readable.from([]);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async delete(hashes) {
      for (let from = 0; from < hashes.length; from += MAX_DELETED) {
        const Objects = hashes.slice(from, from + MAX_DELETED).map((hash) => ({ Key: keyOf(hash) }));
        const { Errors = [] } = await client.send(
          new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
        );
        const failed = Errors.find(({ Code }) => Code !== 'NoSuchKey');
        if (failed !== undefined) throw new Error(`the file store refused to delete: ${failed.Code}`);
      }
    },
    async close() {
      client.destroy();
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof S3ServiceException && (error.name === 'NoSuchKey' || error.$metadata.httpStatusCode === 404);
}

/** True for temporary failures: a broken connection, a busy store, or an internal error of the store. */
function isPassing(error: unknown): boolean {
  if (!(error instanceof S3ServiceException)) return true;
  const { httpStatusCode = 500 } = error.$metadata;
  return httpStatusCode >= 500 || httpStatusCode === 429 || error.name === 'RequestTimeout';
}
