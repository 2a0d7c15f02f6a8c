import type { Fenced, LandingStore } from '#analytics/clickhouse/port.ts';
import type { SealedBatch } from './batch.ts';
import type { Publisher } from './publish.ts';
import type { LaneState } from './record-steps.ts';

export interface LandingSteps {
  readonly store: LandingStore;
  readonly publisher: Publisher;
  /** Repeats a step while its failure is temporary. */
  readonly retry: <T>(operation: string, run: () => Promise<T>) => Promise<T>;
}

/**
 * The part of the pipeline that makes a batch durable, in the order that lets it be cut off anywhere: dead letters and
 * detections first (their ids make repeats harmless), then what follows from them onto the topics, the events last. The
 * landed events are the mark that all before them is done; only then may the offset be committed.
 */
export async function landBatch(batch: SealedBatch, state: LaneState, steps: LandingSteps): Promise<'landed' | Fenced> {
  const { store, publisher, retry } = steps;
  const { deadLetters, events, output, deadMessages, snapshot, border } = batch;

  if (batch.gap) {
    // When another process landed and committed records while this lane was being opened, the first ones here come from behind a
    // gap of which the tracker knows nothing. What it derives must not get out, and it must not go on.
    const { events: mark } = await retry('check the mark', () => store.marks(state.lane));
    if (mark !== state.marks.events) return { outcome: 'fenced' };
  }
  if (border !== undefined && state.marks.events >= 0) {
    await retry('save snapshot', () => store.saveSnapshot(state.lane, state.marks.events, border));
  }
  if (deadLetters.rows > 0) {
    const landing = await retry('land dead letters', () => store.landDeadLetters(deadLetters, state.marks.deadLetters));
    if (landing.outcome === 'fenced') return landing;
    state.marks.deadLetters = deadLetters.lastOffset;
  }
  if (output.changed.length > 0) await retry('land detections', () => store.landDetections(output.changed));

  await Promise.all([
    retry('publish detections', () => publisher.detections(output.announced)),
    retry('publish dead letters', () => publisher.deadLetters(deadMessages)),
  ]);

  if (events.rows > 0) {
    const landing = await retry('land events', () => store.landEvents(events, state.marks.events));
    if (landing.outcome === 'fenced') return landing;
    state.marks.events = events.lastOffset;
  }
  if (snapshot !== undefined) {
    await retry('save snapshot', () => store.saveSnapshot(state.lane, state.marks.events, snapshot));
  }
  return 'landed';
}
