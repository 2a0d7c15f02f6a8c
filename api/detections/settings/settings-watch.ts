import type { DetectionSettings } from '#analytics/detections/settings.ts';
import type { Database } from '#api/postgres/database.ts';
import { settingsVersion } from '../tables/rule-settings.ts';
import { poll } from '../tail/poll.ts';
import { readSettings } from './read-settings.ts';

/** The settings of the rules as they change, for one process. */
export interface SettingsWatch {
  /** Those that hold: the same object for as long as nothing changed. */
  readonly current: () => DetectionSettings;
  /** Looks at once, for who knows that something changed. */
  refresh(): Promise<void>;
  stop(): Promise<void>;
}

export interface SettingsWatchDeps {
  readonly database: Database;
  /** What the rules file says, or the defaults. */
  readonly base: DetectionSettings;
  readonly logger: {
    info(fields: object, message: string): void;
    warn(fields: object, message: string): void;
  };
}

/**
 * Reads the settings, and again whenever their version grew. Rejects when they can't be read the first time; later, while PostgreSQL is unavailable,
 * what was read last goes on holding.
 */
export async function createSettingsWatch(
  { database, base, logger }: SettingsWatchDeps,
  { pauseMs = 2_000 }: { readonly pauseMs?: number } = {},
): Promise<SettingsWatch> {
  let version: number | undefined;
  let current = base;
  let looking: Promise<void> = Promise.resolve();

  await look();
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
    looking = looking.then(look, look);
    return looking;
  }

  async function look(): Promise<void> {
    // Read first: what changes while the rest is read is then seen next time.
    const newest = await settingsVersion(database);
    if (newest === version) return;
    const { settings, refused, refusedUserRules } = await readSettings(database, base);
    for (const rule of refused)
      logger.warn({ rule }, 'what was set of this rule is not valid any more; the rules file holds');
    for (const rule of refusedUserRules) logger.warn({ rule }, 'this version refuses a user rule; it is not judged by');
    const changed = version !== undefined;
    version = newest;
    current = settings;
    if (changed) logger.info({ version }, 'settings of the rules changed');
  }
}
