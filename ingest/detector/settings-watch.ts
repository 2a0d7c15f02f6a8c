import type { EventV1 } from '#schemas/events/versions/v1.ts';
import type { DetectorLog } from './log.ts';
import type { Setting, SettingValues } from './setting.ts';
import { configMismatch, SETTINGS } from './settings.ts';

export interface SettingsWatchOptions {
  /** Directory that contains `proc` and `sys`, normally `/`. */
  readonly root: string;
  readonly hostname: string | null;
  /** If true, sets the wanted values at start. Otherwise the values at start are the expected ones. */
  readonly configure: boolean;
  /** Values that an earlier run of this boot set. A difference at start means that they were changed since then. */
  readonly configured: Readonly<Record<string, string>>;
}

export interface SettingsWatch {
  /** Sets or reads the values. Returns events for changes since an earlier run. */
  start(): Promise<EventV1[]>;
  /** Checks all settings once. Returns one event per change from the expected value. */
  check(): Promise<EventV1[]>;
  /** Last value of each setting, by key. */
  readonly values: Readonly<Record<string, string>>;
  /** Values that were set by `--configure`, by key; saved for the next run. */
  readonly configured: Readonly<Record<string, string>>;
}

/** Watches the settings that evidence depends on. `now` returns the wall clock in ms since the epoch. */
export function createSettingsWatch(options: SettingsWatchOptions, log: DetectorLog, now: () => number): SettingsWatch {
  const expected = new Map<string, string>();
  /** The last reported deviating value, by key. */
  const reported = new Map<string, string>();
  const configured: Record<string, string> = {};
  const current: Record<string, string> = {};

  const mismatch = (key: string, want: string, observed: string): EventV1 =>
    configMismatch(key, want, observed, { timestamp: new Date(now()).toISOString(), hostname: options.hostname });

  /** Sets the wanted value if needed. Returns the value that applies from now on. */
  async function configure(setting: Setting, found: string, others: SettingValues): Promise<string> {
    const { key, wanted } = setting;
    if (setting.good(found, others)) return found;
    const reason = setting.blocked?.(others) ?? null;
    if (reason !== null) {
      log('warn', { key, value: found, wanted, reason }, 'setting left unchanged');
      return found;
    }
    try {
      await setting.write(options.root, wanted);
    } catch (error) {
      log('error', { key, code: (error as NodeJS.ErrnoException).code ?? 'unknown' }, 'setting cannot be changed');
      return found;
    }
    log('info', { key, value: wanted, before: found }, 'setting changed on command');
    return wanted;
  }

  /**
   * Initialises one setting. `values` holds the values of the settings earlier in the list; the value of this one is
   * added.
   */
  async function begin(setting: Setting, values: Map<string, string>): Promise<EventV1 | null> {
    const { key, wanted } = setting;
    const found = await setting.read(options.root);
    if (found === null) {
      log('warn', { key }, 'setting not found on this machine: it is not watched');
      return null;
    }
    const before = options.configured[key];
    const holds = options.configure ? await configure(setting, found, values) : (before ?? found);
    const good = setting.good(holds, values);
    values.set(key, holds);
    current[key] = holds;
    expected.set(key, holds);
    if (options.configure || before !== undefined) configured[key] = holds;
    if (!good) log('warn', { key, value: holds, wanted, why: setting.why }, 'setting hides evidence');
    if (before === undefined || before === found) return null;
    // After `--configure` corrected a setting, a new deviation is reported again. Otherwise the current one is already
    // reported.
    if (!options.configure) reported.set(key, found);
    return mismatch(key, before, found);
  }

  return {
    configured,
    values: current,
    async start() {
      const events: EventV1[] = [];
      const values = new Map<string, string>();
      // In list order, because whether a setting is good may depend on earlier ones.
      for (const setting of SETTINGS) {
        const event = await begin(setting, values);
        if (event !== null) events.push(event);
      }
      return events;
    },
    async check() {
      const events: EventV1[] = [];
      for (const setting of SETTINGS) {
        const want = expected.get(setting.key);
        const found = want === undefined ? null : await setting.read(options.root);
        if (want === undefined || found === null) continue;
        current[setting.key] = found;
        if (found === want) reported.delete(setting.key);
        else if (reported.get(setting.key) !== found) {
          reported.set(setting.key, found);
          events.push(mismatch(setting.key, want, found));
        }
      }
      return events;
    },
  };
}
