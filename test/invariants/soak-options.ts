import { type ParseArgsOptionDescriptor, parseArgs } from 'node:util';

/** Wrong usage of an `npm run soak` program. The message is shown to the user. */
export class SoakUsageError extends Error {
  override readonly name = 'SoakUsageError';
}

type Defaults = Readonly<Record<string, number | string | undefined>>;
type Values<D extends Defaults> = {
  readonly [K in keyof D]: D[K] extends number ? number : D[K] extends string ? string : string | undefined;
};

/**
 * Parses the options. An option with a numeric default must be a whole number; all others are text. Accepts `--of`,
 * which `npm run soak` reads. Throws `SoakUsageError`.
 */
export function readSoakOptions<const D extends Defaults>(args: readonly string[], defaults: D): Values<D> {
  const text: ParseArgsOptionDescriptor = { type: 'string' };
  const options = Object.fromEntries([...Object.keys(defaults), 'of'].map((name) => [name, text]));
  let given: Readonly<Record<string, unknown>>;
  try {
    given = parseArgs({ args: [...args], options }).values;
  } catch (error) {
    if (error instanceof TypeError) throw new SoakUsageError(error.message);
    throw error;
  }
  const value = (name: string) => {
    const [written, standard] = [given[name], defaults[name]];
    if (written === undefined || typeof standard !== 'number') return written ?? standard;
    return wholeNumber(name, String(written));
  };
  return Object.fromEntries(Object.keys(defaults).map((name) => [name, value(name)])) as Values<D>;
}

/** Returns the value if it is one of `names`. Throws `SoakUsageError` otherwise. */
export function oneOf<T extends string>(option: string, value: string, names: readonly T[]): T {
  const found = names.find((name) => name === value);
  if (found === undefined) throw new SoakUsageError(`--${option}: must be one of ${names.join(', ')} (got ${value})`);
  return found;
}

/**
 * Returns the options of this process as parsed by `read`. Reports wrong usage and ends the process with exit code 2.
 */
export function soakOptions<T>(read: (args: readonly string[]) => T): T {
  try {
    return read(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof SoakUsageError)) throw error;
    process.stderr.write(`soak: ${error.message}\nThe options: npm run soak -- --help\n`);
    process.exit(2);
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new SoakUsageError(`--${option}: must be a whole number (got ${text})`);
  return Number(text);
}
