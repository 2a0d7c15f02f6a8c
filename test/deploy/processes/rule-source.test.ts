import { expect, test } from 'vitest';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { createDatabase } from '#api/postgres/database.ts';
import { createLifecycle } from '#deploy/processes/lifecycle.ts';
import { startRuleSource } from '#deploy/processes/rule-source.ts';

test('stopping ends the wait for PostgreSQL', async () => {
  const database = createDatabase({ url: 'postgresql://unknown@127.0.0.1:1/none', onIdleError: () => {} });
  const lifecycle = createLifecycle({ debug: () => {}, error: () => {} });
  const waiting = Promise.withResolvers<void>();
  const log = { debug: () => {}, info: () => {}, warn: () => waiting.resolve(), error: () => {} };

  const started = startRuleSource(DEFAULT_DETECTION_SETTINGS, { lifecycle, log, database });
  const refused = expect(started).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
  await waiting.promise;
  await lifecycle.stop();

  await refused;
  await database.destroy();
});
