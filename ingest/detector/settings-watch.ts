import type { EventV1 } from '#schemas/events/versions/v1.ts';
import type { DetectorLog } from './log.ts';
import type { Setting, SettingValues } from './setting.ts';
import { configMismatch, SETTINGS } from './settings.ts';

export interface SettingsWatchOptions {
  /** Directory that holds `proc` and `sys`; `/` on a machine. */
  readonly root: string;
  readonly hostname: string | null;
  /** Set what is wanted at the start; else what is found at the start is what later values are compared with. */
  readonly configure: boolean;
  /** What an earlier run of this boot had set: a difference at the start was made behind its back. */
  readonly configured: Readonly<Record<string, string>>;
}

export interface SettingsWatch {
  /** Sets or takes note of the values; gives the events of what was changed since an earlier run. */
  start(): Promise<EventV1[]>;
  /** One look at all settings: an event for each that differs from what is expected, once for each change. */
  check(): Promise<EventV1[]>;
  /** The value that each setting had last, by key. */
  readonly values: Readonly<Record<string, string>>;
  /** What was set on command, by key: to be remembered for the next run. */
  readonly configured: Readonly<Record<string, string>>;
}

/** Watches the settings that evidence depends on. `now` gives the wall clock in ms since the epoch. */
export function createSettingsWatch(options: SettingsWatchOptions, log: DetectorLog, now: () => number): SettingsWatch {
  const expected = new Map<string, string>();
  /** The deviating value last reported, by key. */
  const reported = new Map<string, string>();
  const configured: Record<string, string> = {};
  const current: Record<string, string> = {};

  const mismatch = (key: string, want: string, observed: string): EventV1 =>
    configMismatch(key, want, observed, { timestamp: new Date(now()).toISOString(), hostname: options.hostname });

  /** Returns the value that holds from now on. */
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

  /** `values`: what holds of the settings before this one; takes this one's value up. */
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
    // A setting that was corrected on command can deviate again: that is a new change. Other deviations were reported before.
    if (!options.configure) reported.set(key, found);
    return mismatch(key, before, found);
  }

  return {
    configured,
    values: current,
    async start() {
      const events: EventV1[] = [];
      const values = new Map<string, string>();
      // In their order: whether a setting is good may depend on those before it.
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
