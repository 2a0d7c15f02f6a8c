import { Command, CommanderError } from 'commander';
import { CommandError, type ExitCode, OutputClosed } from './command-error.ts';
import { COMMANDS } from './command-table.ts';
import type { CommandContext } from './context.ts';

/** Builds the program with the one command that `args` name; the others are there by name and summary, for the help. */
export async function buildProgram(args: readonly string[], context: CommandContext): Promise<Command> {
  const program = new Command('trapline')
    .description('Detection service for memory-exploit attacks.')
    .option('--config <file>', 'a file of the same NAME=value settings; the environment stands above it')
    .showHelpAfterError('(add --help for the options)')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.stdout.write(text),
      writeErr: (text) => void context.stderr.write(text),
    });
  const wanted = commandNamed(args);
  for (const [name, { summary, load }] of Object.entries(COMMANDS)) {
    if (name === wanted) (await load())(program, context);
    else program.command(name);
    program.commands.at(-1)?.description(summary);
  }
  return program;
}

/** Failures whose message says all there is to say; the stack of any other is shown, because nobody foresaw it. */
const FOR_PEOPLE = new Set([
  'ClickHouseFailure',
  'ClickHouseTooNew',
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

/** Runs one command line; resolves to the exit code. Never rejects. */
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

/** The path of the configuration file, needed before commander has read the options of the command. */
export function configFileOf(args: readonly string[]): string | undefined {
  for (const [index, arg] of args.entries()) {
    if (arg === '--') return undefined;
    if (arg === '--config') return args[index + 1];
    if (arg.startsWith('--config=')) return arg.slice('--config='.length);
  }
  return undefined;
}

/** The name of the command that is to run; undefined when there is none, as in `trapline --help`. */
export function commandNamed(args: readonly string[]): string | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    if (arg === '--config') index += 1;
    else if (arg === 'help')
      continue; // `trapline help detect`
    else if (!arg.startsWith('-')) return arg;
  }
  return undefined;
}
