import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Current values on the machine, by key. */
export type SettingValues = ReadonlyMap<string, string>;

/** A setting of the machine that decides whether crashes leave evidence. */
export interface Setting {
  /** Name in ConfigMismatch events. */
  readonly key: string;
  /**
   * Returns the value as one line. Returns null if this kernel or container does not have the setting. `root` is the
   * directory that contains `proc` and `sys`.
   */
  read(root: string): Promise<string | null>;
  /** Rejects with the error of the system if it is not permitted. */
  write(root: string, value: string): Promise<void>;
  /** The value that `--configure` sets, unless the current value is equally good. */
  readonly wanted: string;
  /** Returns true if the value hides no evidence. `others` are the settings earlier in the list. */
  good(value: string, others: SettingValues): boolean;
  /** Returns why `wanted` must not be set now, and what to do; null if it can be set. */
  blocked?(others: SettingValues): string | null;
  readonly why: string;
}

/** A setting that is a one-line file below `root`. */
export function fileSetting(path: string): Pick<Setting, 'read' | 'write'> {
  return {
    async read(root) {
      try {
        return (await readFile(join(root, path), 'utf8')).trim();
      } catch {
        return null;
      }
    },
    write: (root, value) => writeFile(join(root, path), `${value}\n`, { flag: 'r+' }),
  };
}
