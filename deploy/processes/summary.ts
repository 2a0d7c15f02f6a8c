import path from 'node:path';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { terminalText } from '#analytics/formats/terminal-text.ts';
import { SET_UP_MINUTES } from '#api/accounts/set-up/set-up-token.ts';
import { counted } from '../counted.ts';
import { shellWord } from '../shell-word.ts';
import { traplineCommand } from '../trapline-command.ts';

const SHOWN = 5;

/** Returns the summary after a start: what was detected, where to look, and what to do next. */
export async function summarise(
  clickhouse: ClickHouse,
  {
    url,
    publicUrl = url,
    dataDir,
    kafka,
    setUpToken,
  }: {
    readonly url: string;
    /** Public URL of the server, if it differs from `url`. */
    readonly publicUrl?: string | undefined;
    readonly dataDir: string;
    readonly kafka?: readonly string[] | undefined;
    /** Present while no administrator exists. */
    readonly setUpToken?: string | undefined;
  },
): Promise<string> {
  const [counts] = await clickhouse.rows<{ events: string; detections: string; deadLetters: string }>(
    'count what there is',
    `SELECT (SELECT count() FROM ${clickhouse.table('events')}) AS events,
            (SELECT count() FROM ${clickhouse.table('detections')}) AS detections,
            (SELECT count() FROM ${clickhouse.table('dead_letters')}) AS deadLetters`,
  );
  const { items } = await listDetections(clickhouse, {}, { limit: SHOWN });
  const found = items.map(
    ({ severity, rule, hostname, message }) => `  [${severity}] ${rule.id} on ${hostname ?? '?'}: ${message}`,
  );
  const trapline = traplineCommand(dataDir);
  return [
    `Trapline serves ${url}${kafka ? `, consuming from Kafka at ${kafka.join(', ')}` : ''}`,
    `${counted(counts?.events, 'event')}, ${counted(counts?.detections, 'detection')}, ${counted(counts?.deadLetters, 'dead letter')}${found.length > 0 ? '; the latest detections:' : ''}`,
    ...found.map((line) => terminalText(line)),
    '',
    `Console: ${publicUrl}/   health: ${url}/api/health   stop: Ctrl-C`,
    ...(setUpToken === undefined
      ? []
      : [
          `Create the first administrator with this link (single use, valid for ${SET_UP_MINUTES} minutes):`,
          `  ${publicUrl}/auth/set-up?token=${setUpToken}`,
        ]),
    ...commands({
      'List the detections': `${trapline} query detections`,
      'List the events behind them': `${trapline} query events --limit 5 --output json`,
      'The same over HTTP': `curl -H "x-api-key: $(cat ${shellWord(path.join(dataDir, 'operator.key'))})" ${url}/api/detections`,
      "Watch this machine's kernel log": `${trapline} detect --from /dev/kmsg --to ${url}`,
    }),
    '',
  ].join('\n');
}

/** Formats each command on its own line, below a shell comment with its purpose. */
function commands(of: Readonly<Record<string, string>>): string[] {
  return Object.entries(of).flatMap(([purpose, command]) => ['', `  # ${purpose}`, `  ${command}`]);
}
