import type { ListedEvent } from '#analytics/clickhouse/read-models/events.ts';

const LINE_FEED = 10;

/**
 * Parses the `ndjson` lines of ClickHouse into listed events. Unparsed lines stay outside of the heap, so each query
 * can read many more rows than with a parser per row.
 */
export async function* eventsOfLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<ListedEvent[]> {
  let begun: Buffer[] = [];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED);
    if (end >= 0) {
      yield eventsOf([...begun, chunk.subarray(0, end)]);
      begun = [];
    }
    if (end + 1 < chunk.length) begun.push(chunk.subarray(end + 1));
  }
  if (begun.length > 0) yield eventsOf(begun);
}

function eventsOf(lines: readonly Buffer[]): ListedEvent[] {
  return Buffer.concat(lines).toString('utf8').split('\n').map(eventOf);
}

/**
 * `,"hex":{` and `,"event":` are searched for as text. Earlier values cannot contain them, because quotes in strings
 * are escaped.
 */
function eventOf(line: string): ListedEvent {
  const hex = line.indexOf(',"hex":{');
  const { id, topic, partition, offset, received } = JSON.parse(`${line.slice(0, hex)}}`) as Omit<ListedEvent, 'raw'>;
  const raw = line.slice(line.indexOf(EVENT, hex) + EVENT.length, -1);
  return { id, topic, partition, offset, received, raw };
}

const EVENT = ',"event":';
