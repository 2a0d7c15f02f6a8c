import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { lastRelease, linkDependencies, unpackRelease } from './last-release.ts';

test('the last release accepts the given Kafka client', async () => {
  const root = await mkdtemp(path.join(tmpdir(), 'release-'));
  await unpackRelease(await lastRelease(), root);
  await linkDependencies(root);
  const verify = `
    import { requireCorrectedKafkaClient } from ${JSON.stringify(path.join(root, 'ingest/kafka/corrected-client.ts'))};
    requireCorrectedKafkaClient();
    console.log('accepted');`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', verify]);
  expect(stdout).toBe('accepted\n');
});
