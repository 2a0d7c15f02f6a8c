import type { Fenced, LandingStore } from '#analytics/clickhouse/port.ts';
import type { Detection } from '#schemas/detection.ts';
import { storedTrace, type TraceContext } from '#schemas/tracing/trace-context.ts';
import type { SealedBatch } from './batch.ts';
import type { Publisher } from './publish.ts';
import type { LaneState } from './record-steps.ts';

export interface LandingSteps {
  readonly store: LandingStore;
  readonly publisher: Publisher;
  /** Retries a step while it fails with temporary errors. */
  readonly retry: <T>(operation: string, run: () => Promise<T>) => Promise<T>;
  /** Returns the trace of a changed detection. Absent if the batch is not recorded. */
  readonly traceOf?: ((detection: Detection) => TraceContext | undefined) | undefined;
}

/**
 * Makes a batch durable. The order of writes allows a crash at any point. Dead letters and detections are inserted
 * first; their ids make repeats idempotent. Their messages are published next, and events are inserted last. Stored
 * events prove that everything before them is complete. Only then may the offset be committed.
 */
export async function landBatch(batch: SealedBatch, state: LaneState, steps: LandingSteps): Promise<'landed' | Fenced> {
  const { store, publisher, retry, traceOf } = steps;
  const { deadLetters, events, output, deadMessages, snapshot, settingsSnapshot } = batch;

  if (batch.mayTrail) {
    // Another process may have landed records after this lane was opened. Then records are missing before the first
    // ones here, or some were dropped as repeats of themselves. What the tracker derived from the rest must not be
    // published.
    const { events: mark } = await retry('check the mark', () => store.marks(state.lane));
    if (mark !== state.marks.events) return { outcome: 'fenced' };
  }
  if (settingsSnapshot !== undefined && state.marks.events >= 0) {
    await retry('save snapshot', () => store.saveSnapshot(state.lane, state.marks.events, settingsSnapshot));
  }
  if (deadLetters.rows > 0) {
    const landing = await retry('land dead letters', () => store.landDeadLetters(deadLetters, state.marks.deadLetters));
    if (landing.outcome === 'fenced') return landing;
    state.marks.deadLetters = deadLetters.lastOffset;
  }
  // Traces are stored before detections, so that a reader who finds a detection also finds its trace.
  const traces = traceOf === undefined ? [] : tracesToStore(output.changed, traceOf);
  if (traces.length > 0) await retry('land detection traces', () => store.landDetectionTraces(traces));
  if (output.changed.length > 0) await retry('land detections', () => store.landDetections(output.changed));

  await Promise.all([
    retry('publish detections', () => publisher.detections(output.announced, traceOf)),
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

function tracesToStore(
  changed: readonly Detection[],
  traceOf: NonNullable<LandingSteps['traceOf']>,
): { readonly id: string; readonly revision: number; readonly trace: string }[] {
  return changed.flatMap((detection) => {
    const trace = storedTrace(traceOf(detection));
    return trace === null ? [] : [{ id: detection.id, revision: detection.revision, trace }];
  });
}
