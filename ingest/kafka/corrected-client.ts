import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import corrected from './corrected-client.json' with { type: 'json' };

/** The installed Kafka client is not the corrected version that Trapline is tested with. */
export class KafkaClientNotCorrected extends Error {
  override readonly name = 'KafkaClientNotCorrected';
}

let verified = false;

/**
 * Verifies that the installed kafkajs has the corrections of `bin/patches`, by the digests of the changed files.
 * Without them a consumer can skip records, so a process that uses Kafka must not start. Reads about 15 files at the
 * first call, and nothing after that.
 *
 * @throws {KafkaClientNotCorrected}
 */
export function requireCorrectedKafkaClient(): void {
  if (verified) return;
  const folder = path.dirname(createRequire(import.meta.url).resolve('kafkajs/package.json'));
  const difference = differenceOf(folder);
  if (difference !== undefined) {
    throw new KafkaClientNotCorrected(
      `the Kafka client in ${folder} lacks the corrections of Trapline (${difference}): run \`node bin/patches/apply.mjs\` in the directory of Trapline`,
    );
  }
  verified = true;
}

function differenceOf(folder: string): string | undefined {
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as { version: string };
  if (version !== corrected.version) return `its version is ${version}, not ${corrected.version}`;
  const file = Object.entries(corrected.files).find(
    ([name, sha256]) =>
      createHash('sha256')
        .update(readFileSync(path.join(folder, name)))
        .digest('hex') !== sha256,
  );
  return file && `${file[0]} differs`;
}
