import type { Command } from 'commander';
import type { FormatName } from '#analytics/formats/format.ts';
import { listFormatsOf, recordWriter } from '#analytics/formats/formats.ts';
import { RECORD_KINDS, type RecordKind } from '#analytics/formats/record.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { exportTotalWhenLong } from '../export-total.ts';
import { addExclude, addFilters, count, EXCLUDABLE, FILTERS, givenFilters } from '../filter-options.ts';
import { outputFormat, outputOption } from '../output-format.ts';
import { createPercentProgress } from '../percent-progress.ts';
import { parseRecord, serverLines, serverParquet } from '../server-records.ts';

/** Default limit for a table. Other formats, which programs read, have no limit. */
const TABLE_LIMIT = 100;
/** Maximum page size of the API. For a higher limit, the whole stream is requested and cut here. */
const MAX_PAGE = 1000;

const SUMMARIES: Record<RecordKind, string> = {
  events: 'events, newest first',
  detections: 'detections in their latest revision, newest first',
  'dead-letters': 'rejected records, newest first',
};

export interface QueryOptions {
  /** Filters of the API, by name. */
  readonly exclude?: Readonly<Record<string, string>>;
  readonly output: FormatName | 'parquet';
  readonly limit?: number;
}

export function registerQuery(program: Command, context: CommandContext): void {
  const query = program.command('query').description('query events, detections or dead letters of a running server');
  for (const kind of RECORD_KINDS) addQuery(query.command(kind).description(SUMMARIES[kind]), kind, context);
}

/** Adds the options and the action of a query of this kind to a command. */
export function addQuery(command: Command, kind: RecordKind, context: CommandContext): void {
  addFilters(command, FILTERS[kind]);
  if (EXCLUDABLE[kind].length > 0) addExclude(command, EXCLUDABLE[kind]);
  command
    .addOption(outputOption(listFormatsOf(kind)))
    .option('--limit <n>', `maximum number (default: ${TABLE_LIMIT} in a table, else all)`, count)
    .action(async (options: QueryOptions & Record<string, unknown>) => {
      await printRecords(
        kind,
        new URLSearchParams({ ...givenFilters(FILTERS[kind], options), ...options.exclude }),
        options,
        context,
      );
    });
}

/** Prints records as they arrive, with bounded memory. */
async function printRecords(
  kind: RecordKind,
  parameters: URLSearchParams,
  { output, limit }: QueryOptions,
  context: CommandContext,
): Promise<void> {
  if (output === 'parquet') return printParquet(kind, parameters, limit, context);
  const format = outputFormat(output, context.stdout);
  const write = recordWriter(format, kind);
  if (write === undefined) throw usageError(`${kind} cannot be printed as ${output}`);
  // The lines of the server are already in these formats.
  const render =
    output === 'json' || output === 'ndjson'
      ? (line: string) => line
      : (line: string) => write(parseRecord(kind, line));
  const most = limit ?? (output === 'table' ? TABLE_LIMIT : Number.POSITIVE_INFINITY);
  // One more record than wanted shows whether there are more.
  if (most < MAX_PAGE) parameters.set('limit', String(most + 1));

  const server = await context.server();
  let seen = 0;
  let headed = false;
  // A table on a terminal needs no progress line.
  const progress = output === 'table' ? undefined : createPercentProgress(context, 'exported');
  const totalOfExport = exportTotalWhenLong(server, kind, parameters, limit);
  for await (const lines of serverLines(server, kind, parameters)) {
    let out = headed || !format.header ? '' : format.header(kind) + format.terminator;
    headed = true;
    for (const line of lines.slice(0, most - seen)) {
      const text = render(line);
      if (text !== undefined) out += text + format.terminator;
    }
    await context.write(out);
    seen += lines.length;
    progress?.update(Math.min(seen, most), totalOfExport());
    if (seen > most) break;
  }
  progress?.end();
  if (!headed && format.header) await context.write(format.header(kind) + format.terminator);
  if (seen > most && limit === undefined) context.note(`showing the newest ${most}; use --limit for more`);
}

/** Prints all records as a Parquet file, as it arrives. */
async function printParquet(
  kind: RecordKind,
  parameters: URLSearchParams,
  limit: number | undefined,
  context: CommandContext,
): Promise<void> {
  if (limit !== undefined)
    throw usageError('parquet is written as a whole: restrict it with --from and --to instead of --limit');
  if ((context.stdout as { readonly isTTY?: boolean }).isTTY)
    throw usageError(`parquet is binary: redirect standard output to a file, such as > ${kind}.parquet`);
  const server = await context.server();
  for await (const chunk of serverParquet(server, kind, parameters)) await context.write(chunk);
}
