import path from 'node:path';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { listDetections } from '#analytics/clickhouse/read-models/detections.ts';
import { terminalText } from '#analytics/formats/terminal-text.ts';
import { counted } from '../counted.ts';

const SHOWN = 5;

/** What a person wants to know after a start: what was found, where to look, what to do next. */
export async function summarise(
  clickhouse: ClickHouse,
  { url, dataDir, kafka }: { url: string; dataDir: string; kafka?: readonly string[] | undefined },
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
  return [
    `Trapline serves ${url}${kafka ? `, consuming from Kafka at ${kafka.join(', ')}` : ''}`,
    `${counted(counts?.events, 'event')}, ${counted(counts?.detections, 'detection')}, ${counted(counts?.deadLetters, 'dead letter')}${found.length > 0 ? '; the latest detections:' : ''}`,
    ...found.map((line) => terminalText(line)),
    '',
    `  ${url}/   the console; the first account for it:`,
    '  npx trapline users create --email you@example.org --username you --role admin   then "Forgot password?" in the console',
    '  npx trapline query detections                       what was found',
    '  npx trapline query events --limit 5 --output json   what it was found in',
    `  npx trapline detect --from /dev/kmsg --to ${url}   watch this machine's kernel log`,
    `  curl -H "x-api-key: $(cat ${path.join(dataDir, 'operator.key')})" ${url}/api/detections`,
    `  health: ${url}/api/health   stop: Ctrl-C`,
    '',
  ].join('\n');
}
