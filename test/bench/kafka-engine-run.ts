import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { randomName } from '../support/random-name.ts';
import { waitFor } from '../support/wait-for.ts';
import type { BenchContext } from './context.ts';
import type { Feed } from './feed.ts';
import { landedEvents, withFreshDatabase } from './fresh-database.ts';
import type { ThroughputRun } from './ingest-run.ts';
import { cpuSeconds } from './processes.ts';
import { costOfStretch, rateOfStretch } from './warm-stretch.ts';
import { watchLanding } from './watch-landing.ts';

const PATIENCE_MS = 180_000;

/**
 * Measures ClickHouse reading the topic itself, with a Kafka engine table and a materialized view into the migrated
 * table `events`. It parses each event once, into a tuple. It validates and derives nothing and is not exactly-once.
 * Blocks have the same size and age as those of `trapline ingest`.
 */
export function runKafkaEngine({ clickHouse, stores, events }: BenchContext, feed: Feed): Promise<ThroughputRun> {
  return withFreshDatabase(clickHouse, async (clickhouse) => {
    await clickhouse.command('create the queue', queue(clickhouse, feed));
    const cpuNow = () => ({ broker: cpuSeconds(stores.broker), engine: cpuSeconds(stores.engine) });
    await clickhouse.command('create the view', view(clickhouse));
    const assignedMs = await assigned(clickhouse);
    const early = await landedEvents(clickhouse);
    const warm = await watchLanding(clickhouse, events, cpuNow, PATIENCE_MS);
    const run = {
      eventsPerSecond: rateOfStretch(warm),
      wholeEventsPerSecond: ((events - early) / (Date.now() - assignedMs)) * 1000,
      cpu: { reader: 0, broker: costOfStretch(warm, 'broker'), engine: costOfStretch(warm, 'engine') },
    };
    await clickhouse.command('drop the view', `DROP TABLE ${clickhouse.table('events_from_queue')} SYNC`);
    await clickhouse.command('drop the queue', `DROP TABLE ${clickhouse.table('queue')} SYNC`);
    return run;
  });
}

async function assigned(clickhouse: ClickHouse): Promise<number> {
  await waitFor('the Kafka engine to have its partitions', async () => {
    const [row] = await clickhouse.rows<{ partitions: string }>(
      'look at the Kafka engine',
      `SELECT sum(length(assignments.partition_id)) AS partitions FROM system.kafka_consumers
       WHERE database = {database:String}`,
      { params: { database: clickhouse.database } },
    );
    return Number(row?.partitions) > 0;
  });
  return Date.now();
}

function queue(clickhouse: ClickHouse, feed: Feed): string {
  return `CREATE TABLE ${clickhouse.table('queue')} (raw String) ENGINE = Kafka SETTINGS
    kafka_broker_list = '${feed.brokers.join(',')}', kafka_topic_list = '${feed.topic}', kafka_group_name = '${randomName('group')}',
    kafka_format = 'JSONAsString', kafka_num_consumers = 1, kafka_max_block_size = 65536,
    kafka_flush_interval_ms = 500, kafka_poll_timeout_ms = 100`;
}

/**
 * Returns the statement of a view with the columns of `events`. As in the pipeline, `trap` is the kind of the trap, and
 * the registers of a dump are parsed from hexadecimal.
 */
function view(clickhouse: ClickHouse): string {
  const register = (name: string) =>
    `if(type = 'LinuxFatalSignal', reinterpretAsUInt64(reverse(unhex(leftPad(replaceRegexpOne(e.stack_dump['${name}'], '^[0-9a-f]+:(0x)?', ''), 16, '0')))), NULL)`;
  return `CREATE MATERIALIZED VIEW ${clickhouse.table('events_from_queue')} TO ${clickhouse.table('events')} AS
    WITH JSONExtract(raw, 'Tuple(timestamp String, hostname Nullable(String), event Tuple(type String, level Nullable(String),
      facility Nullable(String), procname Nullable(String), pid Nullable(UInt64), ip Nullable(UInt64), sp Nullable(UInt64),
      file Nullable(String), vmastart Nullable(UInt64), vmasize Nullable(UInt64), signal Nullable(String), function_name Nullable(String),
      count Nullable(UInt64), register Nullable(String), trap Tuple(type Nullable(String), description Nullable(String), location Nullable(UInt64)),
      stack_dump Map(String, String)))') AS parsed, parsed.event AS e
    SELECT toDate(0) AS landing_day, _topic AS topic, _partition AS partition, _offset AS offset, now64(3) AS received,
      parseDateTime64BestEffort(parsed.timestamp, 9, 'UTC') AS timestamp, parsed.hostname AS hostname, e.type AS type,
      if(type = 'LinuxFatalSignal', e.stack_dump['Comm'], e.procname) AS procname,
      if(type = 'LinuxFatalSignal', toUInt64OrNull(e.stack_dump['PID']), e.pid) AS pid,
      if(type = 'LinuxFatalSignal', ${register('RIP')}, e.ip) AS ip, if(type = 'LinuxFatalSignal', ${register('RSP')}, e.sp) AS sp,
      e.file AS file, e.vmastart AS vmastart, e.vmasize AS vmasize,
      if(e.trap.type = 'Generic', e.trap.description, e.trap.type) AS trap, e.trap.location AS location,
      e.signal AS signal, e.function_name AS function_name, e.count AS count, e.level AS level, e.facility AS facility,
      e.register AS register, '' AS ingest_id, raw
    FROM ${clickhouse.table('queue')}`;
}
