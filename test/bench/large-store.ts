import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';
import { randomName } from '../support/random-name.ts';
import { type ApiProcess, withApiProcess } from './api-process.ts';
import type { BenchContext } from './context.ts';
import { createFeed, type Feed } from './feed.ts';
import { fleetRecord } from './fleet-events.ts';
import { landedEvents, withFreshDatabase } from './fresh-database.ts';
import { generateDetections } from './generated-detections.ts';
import { generateEvents } from './generated-events.ts';
import { startIngest } from './ingest-process.ts';
import { anyDetection, askWhile, eventLists, type Lists, ROUNDS, rowOfLists, type Taken } from './queries.ts';
import { type BenchRow, ratioRow } from './row.ts';
import { untilMerged } from './until-merged.ts';
import { rateOfStretch } from './warm-stretch.ts';
import { watchLanding } from './watch-landing.ts';

const DETECTIONS = 50_000;
const PARTITIONS = 4;
/** Events that `ingest` stores in each run. */
const INSERTED = 3_000_000;
const LIST_MS = 500;
const PATIENCE_MS = 600_000;

/**
 * Measures lists of events by each filter in a store of `stored` events. Also measures `ingest` while a client requests
 * lists one after another, against `ingest` alone. Each past day is one part, as after merges. All events of a type
 * have the same text, because distinct texts take several times the disk space.
 */
export async function benchLargeStore(context: BenchContext): Promise<BenchRow[]> {
  const { clickHouse, stored, progress } = context;
  return withFreshDatabase(clickHouse, async (clickhouse) => {
    await generateEvents(clickhouse, stored, progress, { texts: 'of its kind', asLanded: false });
    await generateDetections(clickhouse, DETECTIONS);
    progress(`events are merged: ${await untilMerged(clickhouse)}`);
    const disk = `${((await bytesOnDisk(clickhouse)) / stored).toFixed(1)} bytes an event on the disk`;
    return withApiProcess(clickHouse, clickhouse.database, async (api) => {
      const lists = eventLists(await anyDetection(api));
      const name = `large-store: events by any one filter, of ${stored.toLocaleString('en-US')} events`;
      const quiet = rowOfLists(name, await askWhile(api, 'events', lists, (round) => round < ROUNDS), LIST_MS);
      progress(`${quiet.value} ms: ${quiet.details?.join('; ')}; ${disk}`);
      const alone = await withFilledFeed(context, (feed) => ingestRate(context, clickhouse, feed));
      progress(`ingest alone: ${Math.round(alone)} events/s`);
      return withFilledFeed(context, async (feed) => {
        const [rate, taken] = await whileListing(api, lists, ingestRate(context, clickhouse, feed));
        return [
          { ...quiet, details: [...(quiet.details ?? []), disk] },
          rowOfLists('large-store: the same while ingest stores all it can', taken, null),
          ratioRow('large-store: ingest while a client lists, against ingest alone', 'events/s', rate, alone, 0.5),
        ];
      });
    });
  });
}

async function whileListing(
  api: ApiProcess,
  lists: Lists,
  storing: Promise<number>,
): Promise<[rate: number, taken: ReadonlyMap<string, Taken>]> {
  let stored = false;
  const rate = storing.finally(() => {
    stored = true;
  });
  const [events, taken] = await Promise.all([rate, askWhile(api, 'events', lists, () => !stored)]);
  return [events, taken];
}

/** Creates new topics, because `ingest` skips events that the store already has. */
async function withFilledFeed<T>({ kafka }: BenchContext, use: (feed: Feed) => Promise<T>): Promise<T> {
  const feed = await createFeed(kafka.brokers, PARTITIONS);
  try {
    await feed.fill(0, INSERTED, fleetRecord);
    return await use(feed);
  } finally {
    await feed.close();
  }
}

/** Returns the events a second that `ingest` stores after the warm-up. */
async function ingestRate({ clickHouse }: BenchContext, clickhouse: ClickHouse, feed: Feed): Promise<number> {
  const before = await landedEvents(clickhouse);
  const ingest = await startIngest(feed, clickHouse, clickhouse, { TRAPLINE_GROUP_ID: randomName('group') });
  try {
    return rateOfStretch(await watchLanding(clickhouse, INSERTED, () => undefined, PATIENCE_MS, before));
  } finally {
    await ingest.stop();
  }
}

async function bytesOnDisk(clickhouse: ClickHouse): Promise<number> {
  const [row] = await clickhouse.rows<{ bytes: string }>(
    'count the bytes of events',
    'SELECT sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = {database:String} AND table = {table:String}',
    { params: { database: clickhouse.database, table: eventsTable.name } },
  );
  return Number(row?.bytes);
}
