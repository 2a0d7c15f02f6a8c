import { type Entry, type Located, refuse } from './located-yaml.ts';

/** Returns the mapping at this place. */
export function mapping(at: Located, what: string): ReadonlyMap<string, Entry> {
  if (!(at.value instanceof Map)) refuse(at, `${what} must be a mapping`);
  return at.value as ReadonlyMap<string, Entry>;
}

/** Returns the items of a list, or a single value as a list. */
export function items(at: Located): readonly Located[] {
  return Array.isArray(at.value) ? (at.value as readonly Located[]) : [at];
}

/** Returns a string of at most `max` characters; undefined if it is absent. */
export function optionalText(entry: Entry | undefined, max: number): string | undefined {
  if (entry === undefined) return undefined;
  const { value } = entry.value;
  if (typeof value !== 'string') refuse(entry.value, `must be a text (got ${describe(entry.value)})`);
  const text = value as string;
  if (text.length > max) refuse(entry.value, `${text.length} characters, at most ${max}`);
  return text;
}

/** Returns an integer between `min` and `max`. */
export function integer(at: Located, min: number, max: number): number {
  const { value } = at;
  if (typeof value !== 'number' || !Number.isInteger(value) || value < min || value > max)
    refuse(at, `must be a whole number from ${min} to ${max} (got ${describe(at)})`);
  return value as number;
}

/** Returns the seconds of a time span such as `90m`, from 1 s to `max`. */
export function seconds(at: Located, max: number): number {
  const match = typeof at.value === 'string' ? /^(\d{1,7})([smhd])$/.exec(at.value) : null;
  const found = match === null ? 0 : Number(match[1]) * (UNITS[match[2] as keyof typeof UNITS] ?? 0);
  if (found < 1 || found > max)
    refuse(at, `must be a number and a unit (s, m, h or d), from 1s to ${max}s (got ${describe(at)})`);
  return found;
}

const UNITS = { s: 1, m: 60, h: 3_600, d: 86_400 } as const;

/** Returns the value at this place, shortened for a message. */
export function describe({ value }: Located): string {
  if (value instanceof Map) return 'a mapping';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : String(value);
}

/** Rejects every key that is not known. `reasons` explains some of them. */
export function onlyKeys(
  map: ReadonlyMap<string, Entry>,
  known: readonly string[],
  reasons: Readonly<Record<string, string>> = {},
): void {
  for (const [name, entry] of map) {
    if (known.includes(name)) continue;
    refuse(entry, reasons[name] ?? `unknown here; known are ${known.join(', ')}`);
  }
}
