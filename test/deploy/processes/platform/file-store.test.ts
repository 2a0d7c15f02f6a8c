import { mkdir, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { openFileStore } from '#deploy/processes/platform/file-store.ts';
import { temporaryFolder } from '#test/support/services/temporary-folder.ts';

const LIMITS = { maxBytes: 100 };
const BUCKET = {
  endpoint: 'http://127.0.0.1:1',
  region: 'none',
  bucket: 'files',
  accessKeyId: 'id',
  secretAccessKey: 'secret',
};

/** Opens the file store of a process. `warnings` collects its log messages. */
async function open(dataDir: string, s3?: typeof BUCKET) {
  const warnings: string[] = [];
  const warn = (_fields: object, message: string) => void warnings.push(message);
  const store = await openFileStore({ dataDir, s3 }, { warn: warn as never });
  onTestFinished(() => store.close());
  return { store, warnings };
}

test('files are in a writable data directory', () =>
  temporaryFolder('files', async (folder) => {
    const { store, warnings } = await open(folder);
    const staged = await store.stage([Buffer.from('text')], LIMITS);
    await staged.keep();
    expect(await readdir(path.join(folder, 'files'))).toContain(staged.hash.slice(0, 2));
    expect(warnings).toEqual([]);
  }));

test('storing a file without a data directory and a bucket fails with both settings', () =>
  temporaryFolder('files', async (folder) => {
    await writeFile(path.join(folder, 'file'), '');
    const { store, warnings } = await open(path.join(folder, 'file', 'data'));
    expect(warnings).toEqual([expect.stringContaining('set S3_BUCKET, or set TRAPLINE_DATA_DIR')]);
    await expect(store.stage([], LIMITS)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining('set S3_BUCKET, or set TRAPLINE_DATA_DIR'),
    });
  }));

test('with a bucket, files are staged in TMPDIR, and an unusable TMPDIR is reported by name', () =>
  temporaryFolder('files', async (folder) => {
    await writeFile(path.join(folder, 'file'), '');
    const temporary = path.join(folder, 'tmp');
    vi.stubEnv('TMPDIR', temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const nowhere = await open(path.join(folder, 'file', 'data'), BUCKET);
    await expect(nowhere.store.stage([], LIMITS)).rejects.toThrow('set TRAPLINE_DATA_DIR or TMPDIR');
    await mkdir(temporary);
    const { store, warnings } = await open(path.join(folder, 'file', 'data'), BUCKET);
    const staged = await store.stage([Buffer.from('text')], LIMITS);
    const [staging = ''] = await readdir(temporary);
    expect(await readdir(path.join(temporary, staging))).toHaveLength(1);
    await staged.discard();
    expect(warnings).toEqual([]);
  }));
