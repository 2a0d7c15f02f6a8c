import { setTimeout as delay } from 'node:timers/promises';
import type { DetectionSettings } from '#analytics/detections/settings.ts';
import { createSettingsWatch, type SettingsWatch } from '#api/detections/settings/settings-watch.ts';
import type { Database } from '#api/postgres/database.ts';
import { isDatabaseUnavailable } from '#api/postgres/failure.ts';
import type { PipelineLog } from '#ingest/pipeline/pipeline-lane.ts';
import type { Lifecycle } from './lifecycle.ts';

/**
 * Starts the source of rule settings: the rules file with the changes of administrators. Waits for PostgreSQL, because
 * default settings would produce wrong detections.
 */
export async function startRuleSource(
  base: DetectionSettings,
  {
    lifecycle,
    log,
    database,
  }: { readonly lifecycle: Lifecycle; readonly log: PipelineLog; readonly database: Database },
): Promise<SettingsWatch> {
  return lifecycle.start('settings of the rules', async () => {
    for (let attempt = 1; ; attempt++) {
      try {
        const value = await createSettingsWatch({ database, base, logger: log });
        return { value, stop: () => value.stop() };
      } catch (error) {
        if (!isDatabaseUnavailable(error)) throw error;
        log.warn({ attempt, err: error }, 'PostgreSQL unavailable, retrying');
        await delay(Math.min(5_000, 200 * 2 ** Math.min(attempt, 5)), undefined, { signal: lifecycle.signal });
      }
    }
  });
}
