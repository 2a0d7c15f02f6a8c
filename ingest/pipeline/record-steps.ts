import type { EventRow, Lane } from '#analytics/clickhouse/port.ts';
import type { DecodedRows } from '#analytics/event-decoder/decoded-rows.ts';
import type { EventDecoder } from '#analytics/event-decoder/decoder.ts';
import type { AcceptedEvent, ReadResult, Rejection } from '#schemas/events/accepted.ts';
import { MAX_LISTED_REJECTIONS } from '#schemas/rejection-codes.ts';
import type { Batch, ChunkInBatch } from './batch.ts';
import type { DecodeLimits } from './decode.ts';
import { decodeRecord } from './decode.ts';
import type { JudgingState } from './lane-settings.ts';
import type { PipelineMetrics, StepName } from './metrics.ts';
import type { PackedRecords } from './packed-records.ts';
import type { RecentIds } from './recent-ids.ts';
import type { Validate } from './validate.ts';

/**
 * Only every Nth record is timed, because timing each step of each record would cost as much as the steps. A prime, to
 * avoid synchronising with periodic work.
 */
const SAMPLE_EVERY = 61;

export interface RecordStepsOptions {
  readonly limits: DecodeLimits;
  readonly validate: Validate;
  /** Decodes events with the shapes that `validate` knows. */
  readonly decoder: EventDecoder;
  /**
   * Checks the schema id of a registry frame with the cached registry data. Returns undefined if the payload alone
   * decides.
   */
  readonly judgeSchemaId: (schemaId: number, payload: ReadResult) => Rejection | undefined;
}

/** The state that the steps of a lane use. */
export interface LaneState extends JudgingState {
  readonly lane: Lane;
  /** Offsets up to these are in ClickHouse already and are not written again. */
  marks: { events: number; deadLetters: number };
  /** Highest offset seen. */
  position: number;
  readonly recentIds: RecentIds;
  /** Ingest ids of the current chunk, and of chunks looked up with it, that are stored in ClickHouse. */
  landedIds: ReadonlySet<string>;
  /** Queued chunks whose ids were looked up together with those of an earlier chunk. */
  askedAhead: Set<PackedRecords>;
}

/** Adds one record to a batch; see `createRecordSteps`. */
export type TakeIn = ReturnType<typeof createRecordSteps>;

/**
 * Creates the synchronous part of the pipeline: decode → validate → de-duplicate → derive → encode. A record with a
 * known shape is plain JSON and valid, so the decoder reads it, together with the records after it. Each record ends in
 * exactly one way: as an event row of the batch, as a dead-letter row, or dropped.
 * Long: its functions share the sampling of times.
 */
export function createRecordSteps(options: RecordStepsOptions, metrics: PipelineMetrics) {
  const { limits, validate, decoder, judgeSchemaId } = options;
  let sinceSample = 0;

  return function takeIn(
    records: PackedRecords,
    index: number,
    offset: number,
    batch: Batch,
    part: ChunkInBatch,
    state: LaneState,
  ): void {
    const timed = ++sinceSample === SAMPLE_EVERY;
    if (timed) sinceSample = 0;
    let before = timed ? performance.now() : 0;

    const size = records.size(index);
    if (size > 0 && size <= limits.maxBytes) {
      const raw = records.stored(index);
      const decoded = decoder.read(records, index);
      const known = decoded ?? validate.known(raw.memory, raw.to - size, raw.to);
      if (known !== undefined) {
        if (timed) before = lap('validate', before);
        const rows = decoded === undefined ? undefined : decoder.rows();
        accept(known, raw, records.ingestId(index), offset, batch, part, state, timed ? before : undefined, rows);
        return;
      }
    }

    const value = records.value(index);
    const decoded = decodeRecord(value, limits);
    if (timed) before = lap('decode', before);
    if (!decoded.ok) {
      bury(decoded, records, index, offset, batch, part, state);
      return;
    }

    const validated = decoded.payload === value ? validate.unknown(value) : validate(decoded.payload);
    if (timed) before = lap('validate', before);
    const refused = decoded.schemaId === undefined ? undefined : judgeSchemaId(decoded.schemaId, validated);
    if (refused !== undefined) {
      bury(refused, records, index, offset, batch, part, state);
      return;
    }
    if (!validated.ok) {
      bury(validated, records, index, offset, batch, part, state);
      return;
    }

    const raw = decoded.payload === value ? records.stored(index) : decoded.payload;
    accept(validated, raw, records.ingestId(index), offset, batch, part, state, timed ? before : undefined);
  };

  /** `since`: when the previous step ended, for a timed record. `rows`: the columns of the event, if decoded. */
  function accept(
    accepted: AcceptedEvent,
    raw: EventRow['raw'],
    ingestId: string,
    offset: number,
    batch: Batch,
    part: ChunkInBatch,
    state: LaneState,
    since: number | undefined,
    rows?: DecodedRows,
  ): void {
    part.accepted++;
    if (isRepeat(ingestId, state)) {
      if (state.landedIds.has(ingestId)) batch.mayTrail = true;
      metrics.dropped('duplicate_ingest_id');
      return;
    }
    state.tracker.feed(accepted);
    const derived = since === undefined ? undefined : lap('derive', since);
    if (rows === undefined) batch.events.append({ offset, accepted, raw, ingestId });
    else batch.events.appendDecoded(rows, decoder.row(), { offset, raw, ingestId });
    if (derived !== undefined) lap('encode', derived);
  }

  function bury(
    rejection: Rejection,
    records: PackedRecords,
    index: number,
    offset: number,
    batch: Batch,
    part: ChunkInBatch,
    state: LaneState,
  ): void {
    const { code, path, message } = rejection;
    part.rejectedTotal++;
    if (part.rejected.length < MAX_LISTED_REJECTIONS) part.rejected.push({ index, code, path, message });
    // An earlier attempt landed this dead letter but not the events. Its message may be on the topic twice or not at
    // all, so it is published again. Its landed ingest id does not make it a repeat, because the id may be its own.
    const hasLanded = offset <= state.marks.deadLetters;
    const ingestId = records.ingestId(index);
    if (isRepeat(ingestId, state, hasLanded)) {
      metrics.dropped('duplicate_ingest_id');
      return;
    }
    metrics.dead(code);
    const key = records.key(index);
    const raw = records.value(index) ?? Buffer.alloc(0);
    const { topic, partition } = state.lane;
    const identity = { topic, partition, offset };
    batch.deadMessages.push({ identity, key, value: raw, rejection, receivedMs: batch.receivedMs });
    if (hasLanded) return;
    batch.deadLetters.append({ offset, rejection, raw, key, ingestId });
  }

  function lap(step: StepName, since: number): number {
    const now = performance.now();
    metrics.step(step, ((now - since) * SAMPLE_EVERY) / 1000, SAMPLE_EVERY);
    return now;
  }
}

function isRepeat(ingestId: string, state: LaneState, hasLanded = false): boolean {
  if (ingestId === '') return false;
  if (state.recentIds.has(ingestId) || (!hasLanded && state.landedIds.has(ingestId))) return true;
  state.recentIds.add(ingestId);
  return false;
}
