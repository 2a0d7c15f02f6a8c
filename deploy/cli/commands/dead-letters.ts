import { type Command, Option } from 'commander';
import { rawText } from '#analytics/formats/raw-text.ts';
import { terminalText } from '#analytics/formats/terminal-text.ts';
import { parseRecordId } from '#schemas/record-id.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { addFilters, count, FILTERS, givenFilters } from '../filter-options.ts';
import { createPercentProgress } from '../percent-progress.ts';
import { parseRecord } from '../server-records.ts';
import { addQuery } from './query.ts';

/** Maximum number of ids per request; more are sent in several requests. */
const IDS_AT_ONCE = 1000;

export function registerDeadLetters(program: Command, context: CommandContext): void {
  const group = program.command('dead-letters').description('list, show and retry rejected records');
  addQuery(group.command('list').description('list rejected records, newest first'), 'dead-letters', context);

  group
    .command('show')
    .description('show one rejected record: reason, source and payload')
    .argument('<id>', 'topic~partition~offset, as `list` shows it')
    .option('--raw', 'print only the payload, byte for byte')
    .action(async (id: string, { raw }: { raw?: true }) => show(id, raw === true, context));

  addFilters(
    group
      .command('redrive')
      .description('retry rejected records; exit code 1 if one is rejected again')
      .argument('[id...]', 'topic~partition~offset, as `list` shows them; without ids, the filters select'),
    FILTERS['dead-letters'],
  )
    .option('--all', 'all rejected records')
    .option('--limit <n>', 'maximum number of records that the filters select', count)
    .addOption(new Option('--output <format>', 'output format').choices(['table', 'json']).default('table'))
    .action(async (ids: string[], options: RedriveOptions & Record<string, unknown>) => redrive(ids, options, context));
}

interface RedriveOptions {
  readonly all?: true;
  readonly limit?: number;
  readonly output: 'table' | 'json';
}

async function show(id: string, rawOnly: boolean, context: CommandContext): Promise<void> {
  if (parseRecordId(id) === undefined) throw usageError(`${id} is not an id: must be topic~partition~offset`);
  const server = await context.server();
  const response = await server.request(`/api/dead-letters/${encodeURIComponent(id)}`);
  const record = parseRecord('dead-letters', await response.text());
  if (rawOnly) {
    await context.write(record.raw);
    return;
  }
  const { raw, encoding } = rawText(record.raw);
  const fields = {
    id,
    received: new Date(record.received).toISOString(),
    code: record.code,
    path: record.path,
    message: record.message,
    redriven: record.redriven ?? 'no',
    bytes: `${record.raw.length}, ${encoding === 'utf8' ? 'text' : 'no text: base64'}`,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name.padEnd(9)} ${terminalText(value)}`);
  await context.write(`${[...lines, '', ...raw.split('\n').map(terminalText)].join('\n')}\n`);
}

interface RedriveResult {
  readonly id: string;
  /** `accepted`, `already_redriven`, `rejected`, `not_found`, `queue_full`. */
  readonly outcome: string;
  readonly code?: string;
  readonly path?: string;
  readonly message?: string;
}

interface RedriveAnswer {
  readonly results: readonly RedriveResult[];
  /** Cursor to the next dead letters that match the filters. */
  readonly nextCursor?: string | null;
  /** Number of dead letters that match the filters, in the first response. */
  readonly total?: number;
}

async function redrive(
  ids: readonly string[],
  { output, ...options }: RedriveOptions & Record<string, unknown>,
  context: CommandContext,
): Promise<void> {
  const filter = givenFilters(FILTERS['dead-letters'], options);
  const filtered = Object.keys(filter).length > 0 || options.all === true;
  if (ids.length > 0 === filtered)
    throw usageError('give either ids or filters, not both (--all for all dead letters)');
  const wrong = ids.find((id) => parseRecordId(id) === undefined);
  if (wrong !== undefined) throw usageError(`${wrong} is not an id: must be topic~partition~offset`);

  const progress = createPercentProgress(context, 'retried');
  let total = filtered ? options.limit : ids.length;
  let left = options.limit ?? Number.POSITIVE_INFINITY;
  const server = await context.server();
  let failed = 0;
  let printed = 0;
  let cursor: string | null = null;
  for (let at = 0, more = true; more; at += IDS_AT_ONCE) {
    const limit = Math.min(left, IDS_AT_ONCE);
    const place: { cursor?: string } = cursor === null ? {} : { cursor };
    const selection = filtered ? { filter, limit, ...place } : { ids: ids.slice(at, at + IDS_AT_ONCE) };
    const response = await server.request('/api/dead-letters/redrive', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(selection),
    });
    const answer = (await response.json()) as RedriveAnswer;
    const { results } = answer;
    if (answer.total !== undefined) total = Math.min(answer.total, options.limit ?? answer.total);
    failed += results.filter(({ outcome }) => outcome !== 'accepted' && outcome !== 'already_redriven').length;
    printed += results.length;
    left -= results.length;
    cursor = answer.nextCursor ?? null;
    more = filtered ? cursor !== null && left > 0 : at + IDS_AT_ONCE < ids.length;
    progress.end();
    await context.write(
      results.map((result) => `${output === 'json' ? JSON.stringify(result) : resultLine(result)}\n`).join(''),
    );
    progress.update(printed, total);
  }
  progress.end();
  context.note(`${printed} retried, ${failed} not accepted`);
  if (cursor !== null) context.note('more records remain: run the command again');
  if (failed > 0) context.setExitCode(1);
}

function resultLine({ id, outcome, code, path, message }: RedriveResult): string {
  const why = [code, path, message].filter((part) => part !== undefined).join('  ');
  return terminalText(`${id}  ${outcome}${why === '' ? '' : `  ${why}`}`);
}
