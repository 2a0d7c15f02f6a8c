import { type Command, InvalidArgumentError, Option } from 'commander';
import { createAnalysis } from '#analytics/detections/analyze.ts';
import type { FormatName } from '#analytics/formats/format.ts';
import { writeRecords } from '#analytics/formats/formats.ts';
import { instantMillis } from '#analytics/formats/millis.ts';
import { createValidateStep } from '#ingest/pipeline/validate.ts';
import type { Rejection } from '#schemas/events/accepted.ts';
import { EARLIEST_CLOCK_SECONDS } from '#schemas/events/earliest-clock.ts';
import { SIGNAL_DIALECTS, type SignalDialect } from '#schemas/events/signal-dialect.ts';
import { parseTimestamp } from '#schemas/events/timestamp.ts';
import { counted } from '../../counted.ts';
import type { CommandContext } from '../context.ts';
import { operatorRules } from '../operator-rules.ts';
import { outputFormat, outputOption } from '../output-format.ts';
import { createProgress } from '../progress.ts';
import { readAccepted } from '../read-accepted.ts';
import { INPUT_KINDS, type InputKind } from '../recognise-input.ts';

const OUTPUTS = ['table', 'json', 'v1', 'cef', 'ecs', 'ocsf', 'csv', 'ndjson'] as const satisfies readonly FormatName[];
/** Maximum number of rejected lines to print; more are only counted. */
const MAX_PRINTED = 5;

interface AnalyzeOptions {
  readonly input?: InputKind;
  readonly output: FormatName;
  readonly hostname?: string;
  readonly bootTime?: number;
  readonly signalDialect?: SignalDialect;
}

export function registerAnalyze(program: Command, context: CommandContext): void {
  program
    .command('analyze')
    .description('find detections in kernel logs or V1 events, offline: without a server and a data directory')
    .argument('<file...>', 'files, read in this order as one log; - for standard input; .gz files are decompressed')
    .addOption(new Option('--input <kind>', 'format of the files (default: detected)').choices(INPUT_KINDS))
    .addOption(outputOption(OUTPUTS))
    .option('--hostname <name>', 'for kernel logs: host name of the events (default: the one in the log, if any)')
    .option(
      '--boot-time <instant>',
      'for kernel logs without a clock: time of offset 0, RFC 3339 (default: the epoch)',
      bootTime,
    )
    .addOption(
      new Option(
        '--signal-dialect <dialect>',
        'for V1 events: accepted signal names (default: TRAPLINE_SIGNAL_DIALECT)',
      ).choices(SIGNAL_DIALECTS),
    )
    .action((files: string[], options: AnalyzeOptions) => analyze(files, options, context));
}

async function analyze(files: readonly string[], options: AnalyzeOptions, context: CommandContext): Promise<void> {
  const config = await context.config();
  const analysis = createAnalysis(await operatorRules(context));
  const progress = createProgress(context, 'lines');
  let lines = 0;
  let events = 0;
  let refused = 0;
  let unclocked = false;
  for (const file of files) {
    const reading = {
      kind: options.input,
      kernelLog: { hostname: options.hostname ?? null, bootTimeMs: options.bootTime ?? 0 },
      validate: createValidateStep({ signalDialect: options.signalDialect ?? config.signalDialect }),
      limits: { maxBytes: config.pipeline.maxRecordBytes },
      refused: (line: number, { code, path, message }: Rejection) => {
        refused++;
        if (refused <= MAX_PRINTED) context.note(`${file}:${line}: ${code} at ${path}: ${message}`);
      },
    };
    for await (const read of readAccepted(file, context.stdin, reading)) {
      for (const accepted of read.events) {
        analysis.feed(accepted);
        unclocked ||= accepted.time.seconds < EARLIEST_CLOCK_SECONDS;
      }
      lines += read.lines;
      events += read.events.length;
      progress.update(lines);
    }
  }
  progress.end();
  const detections = analysis.detections();
  for (const text of writeRecords(outputFormat(options.output, context.stdout), 'detections', detections)) {
    await context.write(text);
  }
  context.note(`${counted(lines, 'line')}, ${counted(events, 'event')}, ${counted(detections.length, 'detection')}`);
  if (unclocked && options.bootTime === undefined) {
    context.note(
      'times are relative to the boot of the machine, and shown from 1970 on; set the boot time with --boot-time',
    );
  }
  if (refused > 0) {
    context.note(`${counted(refused, 'line')} without a valid event ignored`);
    context.setExitCode(1);
  }
}

function bootTime(text: string): number {
  const time = parseTimestamp(text);
  if (!time) throw new InvalidArgumentError('Must be an RFC 3339 date-time, such as 2026-03-01T12:00:00Z.');
  return instantMillis(time);
}
