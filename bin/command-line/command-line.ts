import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A command of `npm run`, for its help and the errors of its usage. */
export interface CommandHelp {
  /** As after `npm run`. */
  readonly name: string;
  /** Complete text of `--help`. */
  readonly usage: string;
}

const HELP = { type: 'boolean', short: 'h' } as const;

/**
 * Parses the arguments of this process. Adds the option `--help`, which prints the usage and ends the process. Wrong
 * options end it with one line and exit code 2.
 */
export function readCommandLine<const T extends ParseArgsConfig>(
  help: CommandHelp,
  config: T,
  args: readonly string[] = process.argv.slice(2),
): ReturnType<typeof parseArgs<T>> {
  try {
    const parsed = parseArgs({ ...config, args: [...args], options: { ...config.options, help: HELP } });
    if ((parsed.values as { readonly help?: boolean }).help === true) {
      process.stdout.write(`${help.usage.trimEnd()}\n`);
      process.exit(0);
    }
    return parsed as ReturnType<typeof parseArgs<T>>;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    // Node explains in further sentences how to write an argument that begins with a hyphen.
    endWithUsage(help, error.message.split(/\.\s|\n/)[0] ?? error.message);
  }
}

/** Reports wrong usage in one line and ends the process with exit code 2. */
export function endWithUsage({ name }: CommandHelp, problem: string): never {
  process.stderr.write(
    `npm run ${name}: ${problem.replace(/\.$/, '')} (npm run ${name} -- --help lists the options)\n`,
  );
  process.exit(2);
}

/** Returns the value of an option that must be a positive number. Ends the process otherwise. */
export function positiveNumber(help: CommandHelp, option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value) || value <= 0)
    endWithUsage(help, `--${option}: must be a positive number (got ${text})`);
  return value;
}

function isUsageError(error: unknown): error is TypeError {
  return error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS_');
}
