import { readFile } from 'node:fs/promises';
import { Command, CommanderError } from 'commander';
import { createHttpSink } from '#ingest/detector/sinks/http-sink.ts';
import { createStdoutSink } from '#ingest/detector/sinks/stdout-sink.ts';
import { CommandError, usageError } from '../../../cli/command-error.ts';
import { type DetectProgram, detect } from '../../../detector/detect.ts';
import { addDetectOptions, type DetectOptions } from '../../../detector/detect-options.ts';
import { addEnrollCommand } from '../../../detector/enroll-command.ts';
import { reportsTo } from '../../../detector/reports.ts';
import { type SinkTarget, sinkTarget } from '../../../detector/sink-target.ts';
import { type ApiKeySource, type DetectorSettings, readSettings } from './settings.ts';

/** The bundler replaces this expression by the version. */
const VERSION = process.env.TRAPLINE_DETECTOR_VERSION ?? 'unpackaged';
const TARGETS = 'stdout or http(s)://… (a server, with TRAPLINE_API_KEY or TRAPLINE_API_KEY_FILE)';

/**
 * The detector as a standalone program. It writes events to standard output or to a server, and contains no Kafka
 * client.
 */
async function main(args: readonly string[]): Promise<number> {
  process.title = 'trapline-detector';
  // The reader of a pipe may close it first. The sink reports that.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  const program = new Command('trapline-detector')
    .description('Reads the kernel log and reports crashes of programs as events.')
    .version(VERSION)
    .showHelpAfterError('(run the command with --help to list its options)')
    .exitOverride();
  try {
    const settings = readSettings(process.env);
    addDetectOptions(program.command('detect', { isDefault: true }), TARGETS, settings.url ?? 'stdout')
      .description('kernel log in, V1 events out')
      .action((options: DetectOptions) => run(options, settings));
    addEnrollCommand(program, {
      version: VERSION,
      keyFile: { path: '/etc/trapline/api-key' },
      enrolled: ({ hostname, keyFile }) => note(`${hostname} is enrolled; its key is in ${keyFile}`),
    });
    await program.parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    note(error instanceof CommandError || isForPeople(error) ? error.message : String((error as Error).stack ?? error));
    return error instanceof CommandError ? error.exitCode : 1;
  }
}

async function run(options: DetectOptions, settings: DetectorSettings): Promise<void> {
  const target = sinkTarget(options.to);
  const apiKey = target.kind === 'http' && settings.apiKey !== null ? await readKey(settings.apiKey) : null;
  await detect(options, {
    stdin: process.stdin,
    stderr: process.stderr,
    dataDir: settings.dataDir,
    signalDialect: settings.signalDialect,
    note,
    openSink: (_to, log, sinkOptions) => openSink(target, apiKey, log, sinkOptions),
    ...(target.kind === 'http' && apiKey !== null ? { startReports: reportsTo(target.url, apiKey, VERSION) } : {}),
  });
}

async function openSink(
  target: SinkTarget,
  apiKey: string | null,
  log: Parameters<DetectProgram['openSink']>[1],
  options: Parameters<DetectProgram['openSink']>[2],
): ReturnType<DetectProgram['openSink']> {
  if (target.kind === 'stdout') return createStdoutSink(process.stdout);
  if (target.kind === 'kafka')
    throw usageError('--to: this detector has no Kafka client: use http(s)://HOST or `trapline detect`');
  return createHttpSink({ url: target.url, apiKey, ...options }, { log });
}

async function readKey(source: ApiKeySource): Promise<string> {
  if ('value' in source) return source.value;
  try {
    return (await readFile(source.file, 'utf8')).trim();
  } catch (error) {
    throw new CommandError(`cannot read the API key from ${source.file} (${(error as NodeJS.ErrnoException).code})`, 2);
  }
}

function isForPeople(error: unknown): error is Error {
  return error instanceof Error && error.name === 'UndeliveredError';
}

function note(text: string): void {
  process.stderr.write(`trapline-detector: ${text}\n`);
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
