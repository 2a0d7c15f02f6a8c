import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Logger } from 'pino';
import { createFolderStore } from '#api/executions/files/folder-store.ts';
import type { FileStore } from '#api/executions/files/port.ts';
import { apiError } from '#api/http/api-error.ts';
import type { Config } from '../../config.ts';
import { dataDirectoryProblem } from '../../data-directory.ts';

/**
 * Opens the store for files and payloads: the configured bucket, or else the data directory. If neither is writable,
 * the process still serves everything else. Storing a file is then rejected with an error that names the required
 * settings, and a warning is logged at start.
 */
export async function openFileStore(
  { s3, dataDir }: Pick<Config, 's3' | 'dataDir'>,
  log: Pick<Logger, 'warn'>,
): Promise<FileStore> {
  const problem = await dataDirectoryProblem(dataDir);
  const folder = path.join(dataDir, 'files');
  if (s3 === undefined) {
    const store = createFolderStore({ folder });
    if (problem === undefined) return store;
    const need = 'set S3_BUCKET, or set TRAPLINE_DATA_DIR to a folder that can be written to';
    log.warn({ problem }, `files and large results cannot be stored: ${need}`);
    return withoutStaging(store, need);
  }
  // The bucket client is large, so it is loaded only with a bucket.
  const { createS3Store } = await import('#api/executions/files/s3-store.ts');
  if (problem === undefined) return createS3Store({ ...s3, staging: path.join(folder, 'staged') });
  // A folder that no other account can have created, because contents are hashed before they are sent from there.
  const staging = await mkdtemp(path.join(tmpdir(), 'trapline-staged-')).catch(() => undefined);
  const store = createS3Store({ ...s3, staging: staging ?? tmpdir() });
  if (staging !== undefined) return store;
  const need =
    'set TRAPLINE_DATA_DIR or TMPDIR to a folder that can be written to, where files are held until they are complete';
  log.warn({ problem }, `files and large results cannot be stored: ${need}`);
  return withoutStaging(store, need);
}

function withoutStaging(store: FileStore, need: string): FileStore {
  return { ...store, stage: () => Promise.reject(apiError('unavailable', `files cannot be stored here: ${need}`)) };
}
