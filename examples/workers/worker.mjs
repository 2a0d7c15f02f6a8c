import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createClient, createWorker } from '@trapline/client';

const hash = async ({ input }) => ({
  sha256: createHash('sha256')
    .update(await readFile(input.path))
    .digest('hex'),
});
const worker = createWorker(createClient(), { queue: 'files', handlers: { hash }, concurrency: 4 });

process.once('SIGTERM', () => worker.stop());
await worker.finished;
