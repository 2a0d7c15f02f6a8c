import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Values found on the machine, by key. */
export type SettingValues = ReadonlyMap<string, string>;

/** A setting of the machine that decides whether crashes leave evidence. */
export interface Setting {
  /** Name in ConfigMismatch events. */
  readonly key: string;
  /** The value as one line; null when this kernel or container does not have the setting. `root` is the directory that holds `proc` and `sys`. */
  read(root: string): Promise<string | null>;
  /** Rejects with the system's error when it is not allowed. */
  write(root: string, value: string): Promise<void>;
  /** What `--configure` sets, unless the value found is as good. */
  readonly wanted: string;
  /** True when the value hides no evidence; `others` are the settings before this one in the list. */
  good(value: string, others: SettingValues): boolean;
  /** Why `wanted` must not be set now, with what to do; null when it may. */
  blocked?(others: SettingValues): string | null;
  readonly why: string;
}

/** A setting that is a file below `root` with one line. */
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
