import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Database } from '#api/postgres/database.ts';
import { settingsVersion } from '../tables/rule-settings.ts';
import { poll } from '../tail/poll.ts';
import { readSettings } from './read-settings.ts';

/** The current settings of the rules, for one process. */
export interface SettingsWatch {
  /** Returns the effective settings: the same object until they change. */
  readonly current: () => DetectionSettings;
  /** Reads the settings now, for callers that know of a change. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

export interface SettingsWatchDeps {
  readonly database: Database;
  /** Settings of the rules file, or the defaults. */
  readonly base: DetectionSettings;
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/**
 * Reads the settings, and reads them again whenever their version increases. Rejects if the first read fails. If
 * PostgreSQL is unavailable later, the last settings stay in effect.
 */
export async function createSettingsWatch(
  { database, base, logger }: SettingsWatchDeps,
  { pauseMs = 2_000 }: { readonly pauseMs?: number } = {},
): Promise<SettingsWatch> {
  let version: number | undefined;
  let current = base;
  let pendingRead: Promise<void> = Promise.resolve();

  await readIfChanged();
  const polling = poll(
    async () => {
      await refresh();
      return { more: false };
    },
    {
      pauseMs,
      onError: (err) =>
        logger.warn({ err }, 'cannot read the settings of the rules; the previous settings stay in effect'),
    },
  );
  return { current: () => current, refresh, stop: () => polling.stop() };

  function refresh(): Promise<void> {
    pendingRead = pendingRead.then(readIfChanged, readIfChanged);
    return pendingRead;
  }

  async function readIfChanged(): Promise<void> {
    // The version is read first, so that a change during the following reads is found by the next poll.
    const newest = await settingsVersion(database);
    if (newest === version) return;
    const { settings, refused, refusedUserRules } = await readSettings(database, base);
    for (const rule of refused)
      logger.warn({ rule }, 'settings of this rule are invalid; those of the rules file apply');
    for (const rule of refusedUserRules)
      logger.warn({ rule }, 'user rule is invalid in this version; it is not evaluated');
    const changed = version !== undefined;
    version = newest;
    current = settings;
    if (changed) logger.info({ version }, 'settings of the rules changed');
  }
}
