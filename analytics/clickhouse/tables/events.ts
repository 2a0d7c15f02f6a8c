import type { Instant } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/v1.ts';
import type { EventColumns } from '../../formats/event-columns.ts';
import { name, nullableName } from '../native/low-cardinality.ts';
import { milliseconds, nanoseconds, nullableUint64, text, uint64 } from '../native/scalars.ts';
import { type StoredText, storedTexts } from '../native/stored-text.ts';
import { CHAINED_TABLE_SETTINGS, type ChainedTable, column, fixedColumn } from '../table.ts';
import { landingDay, retainByReceipt } from './landing-day.ts';

/** Everything the columns are made from. */
export interface EventTableRow {
  readonly topic: string;
  readonly partition: number;
  readonly offset: number;
  readonly receivedMs: number;
  readonly time: Instant;
  readonly hostname: string | null;
  readonly fields: EventColumns;
  /** The kind of trap: the column groups well, while `fields.trap` names each address. */
  readonly trap: string | null;
  readonly ingestId: string;
  readonly raw: StoredText | Buffer;
}
type Row = EventTableRow;

/**
 * Finds words (runs of letters and digits, in lower case) in the text of an event. Made by merges, not by blocks that land (`notAtLanding`): telling the
 * words apart costs as much as a third of an insert. A Bloom filter, about 6 bytes an event, and not an inverted index: most words of an event are numbers
 * that no other event has, so that one was as large as the events themselves, and a merge needed 300 bytes of memory an event to make it.
 *
 * One filter for 4,096 events: made for 2,048 they are a seventh larger, and let through twice as many places that have none of the words, which lie far
 * apart; for 8,192 a page of a hundred rare events takes twice as long, as each costs its whole stretch.
 */
export const RAW_WORDS = "tokens(lower(raw), 'splitByNonAlpha')";
export const WORD_INDEX = `raw_filter ${RAW_WORDS} TYPE bloom_filter(0.0038) GRANULARITY 4`;

/**
 * What lists find their events by: stretches of 8,192 events that cannot hold what is looked for are left out. Going through an index costs every query
 * processor time (of 100,000,000 events 11 ms, when times stood in it for every 1,024), and so does a set of values, 20 times what a Bloom filter of them
 * does; a set that has a null in it, as those of registers do, left out nothing at all.
 */
export const LIST_INDEXES = [
  'timestamp_stretch timestamp TYPE minmax GRANULARITY 8',
  'type_filter type TYPE bloom_filter(0.01) GRANULARITY 8',
  'register_filter register TYPE bloom_filter(0.01) GRANULARITY 8',
] as const;

/**
 * The first and the last time in each part that was merged. A query of a stretch of time, which every list is made of, otherwise goes through the indexes of
 * all parts: of 10,000,000 events in 50 parts that takes 17 ms of processor time, and 6 with this.
 */
export const TIME_STATISTICS = { column: 'timestamp', type: 'minmax' } as const;

/**
 * About 24 parts of like size become one, not five, while they are new and few: a merge costs the server twice what an insert does (4.1 µs an
 * event of 24 blocks, 1.7 of them for the index of words, beside 1.6), and each event went through more of them. What is left of a day unmerged a search for
 * words has to read: less than a million events, 0.2 s of processor time, and the server merges by fewer what is old or many. A day to which nothing came
 * for an hour becomes one part, if 8 GiB hold it; left to the server that took a week.
 */
export const EVENT_MERGES = {
  merge_selector_base: 24,
  min_age_to_force_merge_seconds: 3600,
  min_age_to_force_merge_on_partition_only: 1,
} as const;

/**
 * What the detector itself says, not the kernel: rare, and everywhere. Its text stands once more in a column of its own, which is empty in all other rows and
 * takes next to nothing: a page of it lies in a hundred places, and of each the server unpacks the text of 1,024 events to find one.
 */
export const DETECTOR_TYPES: readonly EventType['type'][] = ['RegisterProbe', 'ConfigMismatch'];
export const DETECTOR_RAW = `detector_raw String MATERIALIZED if(type IN (${DETECTOR_TYPES.map((type) => `'${type}'`).join(', ')}), raw, '') COMMENT 'The same as raw, of what the detector itself says; else empty' CODEC(ZSTD(1))`;

const rising = { codec: 'Delta, ZSTD(1)' };
/** Packed by 2,048 values, not by 8,192: a list takes one of them. By fewer, merges cost more than it is worth. */
const picked = { ...rising, settings: { min_compress_block_size: 16 * 1024 } };
const compressed = { codec: 'ZSTD(1)' };

/** Accepted events, each once. Newest first by time is served by `timestamp_stretch`, single hosts and programs by the filters. */
export const eventsTable: ChainedTable<Row> = {
  name: 'events',
  partition: landingDay,
  columns: [
    fixedColumn('topic', name, (r: Row) => r.topic, {
      comment: 'Where the record came from; local.* never was in Kafka',
    }),
    fixedColumn('partition', uint64, (r: Row) => r.partition, rising),
    column('offset', uint64, (r: Row) => r.offset, picked),
    fixedColumn('received', milliseconds, (r: Row) => r.receivedMs, {
      ...picked,
      comment: 'When this service took the event in',
    }),
    column('timestamp', nanoseconds, (r: Row) => r.time, {
      ...rising,
      comment: 'When the event occurred, by the detector; digits after the ninth stand in raw only',
    }),
    column('hostname', nullableName, (r: Row) => r.hostname),
    column('type', name, (r: Row) => r.fields.type),
    column('procname', nullableName, (r: Row) => r.fields.procname, { comment: 'Of a fatal signal: Comm of its dump' }),
    column('pid', nullableUint64, (r: Row) => r.fields.pid, compressed),
    column('ip', nullableUint64, (r: Row) => r.fields.ip, {
      ...compressed,
      comment: 'Instruction pointer; of a fatal signal: RIP of its dump',
    }),
    column('sp', nullableUint64, (r: Row) => r.fields.sp, {
      ...compressed,
      comment: 'Stack pointer; of a fatal signal: RSP of its dump',
    }),
    column('file', nullableName, (r: Row) => r.fields.file),
    column('vmastart', nullableUint64, (r: Row) => r.fields.vmastart, compressed),
    column('vmasize', nullableUint64, (r: Row) => r.fields.vmasize, compressed),
    column('trap', nullableName, (r: Row) => r.trap, {
      comment: 'Segfault, InvalidOpcode, GeneralProtectionFault, or the description of a generic one',
    }),
    column('location', nullableUint64, (r: Row) => r.fields.location, {
      ...compressed,
      comment: 'Address a segfault touched',
    }),
    column('signal', nullableName, (r: Row) => r.fields.signal),
    column('function_name', nullableName, (r: Row) => r.fields.function_name),
    column('count', nullableUint64, (r: Row) => r.fields.count, compressed),
    column('level', nullableName, (r: Row) => r.fields.level),
    column('facility', nullableName, (r: Row) => r.fields.facility),
    column('register', nullableName, (r: Row) => r.fields.register, { comment: 'Of a RegisterProbe' }),
    column('ingest_id', text, (r: Row) => r.ingestId, {
      ...compressed,
      comment: 'Chosen by the sender; empty when none was',
    }),
    column('raw', storedTexts, (r: Row) => r.raw, { ...compressed, comment: 'The JSON text of the event as it came' }),
  ],
  computed: [DETECTOR_RAW],
  indexes: [
    ...LIST_INDEXES.map((index) => `INDEX ${index}`),
    'INDEX received_range received TYPE minmax GRANULARITY 1',
    'INDEX hostname_filter hostname TYPE bloom_filter(0.01) GRANULARITY 8',
    'INDEX procname_filter procname TYPE bloom_filter(0.01) GRANULARITY 8',
    'INDEX file_filter file TYPE bloom_filter(0.01) GRANULARITY 8',
    'INDEX ingest_id_filter ingest_id TYPE bloom_filter(0.001) GRANULARITY 8',
    `INDEX ${WORD_INDEX}`,
  ],
  notAtLanding: ['raw_filter'],
  // Last resort against a process that writes after the tokens of its block were forgotten: its rows repeat these keys.
  engine: 'ReplacingMergeTree',
  orderBy: '(topic, partition, offset)',
  ttl: retainByReceipt,
  settings: {
    ...CHAINED_TABLE_SETTINGS,
    ...EVENT_MERGES,
    // A list reads `raw` of rows that lie far apart: eight times less of it has to be unpacked for each than by default.
    index_granularity: 1024,
    // A block that lands is a part of one file; only merged ones, which last, have files for each column. Making a hundred files for each
    // block, and having them on the disk, cost the server a quarter of the insert.
    min_bytes_for_wide_part: 32 * 1024 * 1024,
  },
};
