import { Command, CommanderError } from 'commander';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { ConfigOptions } from '../config.ts';
import { CommandError, type ExitCode, OutputClosed } from './command-error.ts';
import { COMMANDS } from './command-table.ts';
import type { CommandContext } from './context.ts';

/** Builds the program with the command in `args`. Other commands are added with name and summary only, for the help. */
export async function buildProgram(args: readonly string[], context: CommandContext): Promise<Command> {
  const program = new Command('trapline')
    .description('Detection service for memory-exploit attacks.')
    .option('--config <file>', 'file with NAME=value settings; environment variables override it')
    .option('--data-dir <folder>', 'data directory; overrides TRAPLINE_DATA_DIR')
    .option('--port <number>', 'port to listen on; overrides PORT')
    .option('--log-format <format>', 'auto, json or text; overrides LOG_FORMAT')
    .showHelpAfterError('(run the command with --help to list its options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
    });
  const wanted = commandNamed(args);
  // After a command, `--version` is an option of the command, as in `trapline workflows run NAME --version 2`.
  if (wanted === undefined) program.version(PRODUCT_VERSION);
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    if (name === wanted) (await load())(program, context);
    else program.command(name);
    program.commands.at(-1)?.description(summary);
  }
  return program;
}

/** Errors with a complete message. Any other error is unexpected and printed with its stack. */
const FOR_PEOPLE = new Set([
  'ClickHouseFailure',
  'ClickHouseTooNew',
  'OtherEngine',
  'DataDirectoryInUse',
  'DatabaseTooNew',
  'EngineStartError',
  'KafkaClientNotCorrected',
  'KafkaFailure',
  'LocalServerSilent',
  'OperatorKeyError',
  'RegistryFailure',
  'RulesFileError',
  'UndeliveredError',
]);

/** Runs one command line. Resolves to the exit code. Never rejects. */
export async function runProgram(
  args: readonly string[],
  context: CommandContext,
  exitCode: () => ExitCode,
): Promise<ExitCode> {
  try {
    const program = await buildProgram(args, context);
    await program.parseAsync([...args], { from: 'user' });
    return exitCode();
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof OutputClosed) return exitCode();
    if (error instanceof CommandError) {
      context.note(error.message);
      return error.exitCode;
    }
    if (error instanceof Error && FOR_PEOPLE.has(error.name)) context.note(error.message);
    else context.note(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return 1;
  }
}

/** Options before the command that affect the configuration. */
const CONFIG_OPTIONS = ['--config', '--data-dir', '--port', '--log-format'] as const;

/** Returns the options that the configuration needs, before commander has parsed those of the command. */
export function configOptionsOf(args: readonly string[]): ConfigOptions {
  const [file, dataDir, port, logFormat] = CONFIG_OPTIONS.map((name) => optionValue(name, args));
  const settings = {
    ...(dataDir === undefined ? {} : { TRAPLINE_DATA_DIR: dataDir }),
    ...(port === undefined ? {} : { PORT: port }),
    ...(logFormat === undefined ? {} : { LOG_FORMAT: logFormat }),
  };
  return { file, settings };
}

function optionValue(option: string, args: readonly string[]): string | undefined {
  const end = args.indexOf('--');
  for (const [index, arg] of args.slice(0, end < 0 ? undefined : end).entries()) {
    if (arg === option) return args[index + 1];
    if (arg.startsWith(`${option}=`)) return arg.slice(option.length + 1);
  }
  return undefined;
}

/** Returns the name of the command; undefined without one, as in `trapline --help`. */
export function commandNamed(args: readonly string[]): string | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (CONFIG_OPTIONS.some((option) => option === arg)) index += 1;
    else if (arg === 'help')
      continue; // `trapline help detect`
    else if (!arg.startsWith('-')) return arg;
  }
  return undefined;
}
