import type { Lane } from '#analytics/clickhouse/port.ts';
import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import {
  failureType,
  inSpan,
  type Span,
  type SpanOptions,
  type TraceAttributes,
  type Tracing,
} from '#schemas/tracing/tracing.ts';
import type { SealedBatch } from './batch.ts';
import type { LandingSteps } from './land.ts';

type Retry = LandingSteps['retry'];

/** The spans of a batch while it lands. */
export interface BatchTrace {
  /** The trace context for log entries about the batch. */
  readonly context: TraceContext | undefined;
  /** Wraps `retry` so that each step has a span. */
  readonly around: (retry: Retry) => Retry;
  /** The trace context that readers of a detection continue; undefined if no trace of it is recorded. */
  readonly ofDetection: (detection: Detection) => TraceContext | undefined;
  end(outcome: string): void;
  fail(error: unknown): void;
}

/** At most this many detections of a batch get their own span. */
const MAX_DETECTIONS = 64;

/** The table that each step writes, for the attributes of the OpenTelemetry semantic conventions for databases. */
const TABLES: Readonly<Record<string, string>> = {
  'land events': 'events',
  'land detections': 'detection_records',
  'land dead letters': 'dead_letter_records',
  'save snapshot': 'tracker_snapshots',
};

/**
 * Starts the span of a batch. It continues the trace of the first recorded record and links to the others, because a
 * span has one parent. Returns undefined if the batch is not recorded. A detection continues the newest recorded trace
 * of its host in the batch, or else the trace of the batch.
 */
export function traceBatch(
  tracing: Tracing,
  { lane, batch, nowMs }: { readonly lane: Lane; readonly batch: SealedBatch; readonly nowMs: number },
): BatchTrace | undefined {
  if (!tracing.isOn) return undefined;
  const traces = batch.chunks.flatMap(({ chunk }) => chunk.traces ?? []);
  const [first, ...others] = traces;
  const span = tracing.start(`process ${lane.topic}`, {
    kind: 'consumer',
    parent: first?.context,
    links: others.map(({ context }) => context),
    startMs: batch.receivedMs,
  });
  if (!span.isRecorded) return undefined;
  span.set({
    'messaging.system': 'kafka',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'messaging.destination.name': lane.topic,
    'messaging.destination.partition.id': String(lane.partition),
    'messaging.batch.message_count': batch.records,
    'trapline.batch.events': batch.events.rows,
    'trapline.batch.dead_letters': batch.deadLetters.rows,
  });
  const rules = tracing.start('apply rules', { parent: span.context, startMs: batch.receivedMs });
  rules.set({ 'trapline.detections.changed': batch.output.changed.length });
  rules.end(nowMs);
  const detections = startDetections(tracing, span, batch, new Map(traces.map(({ host, context }) => [host, context])));
  const endAll = (attributes: TraceAttributes) => {
    for (const one of detections.values()) one.end();
    span.set(attributes);
    span.end();
  };
  return {
    context: span.context,
    around: (retry) => (step, run) => inSpan(tracing, step, optionsOf(step, span.context), () => retry(step, run)),
    ofDetection: ({ id }) => detections.get(id)?.context,
    end: (outcome) => endAll({ 'trapline.batch.outcome': outcome }),
    fail(error) {
      for (const one of [...detections.values(), span]) one.fail(failureType(error));
      endAll({});
    },
  };
}

/** Starts a span for each new or updated detection. It ends when the detection is stored. */
function startDetections(
  tracing: Tracing,
  batchSpan: Span,
  { output }: SealedBatch,
  traceOfHost: ReadonlyMap<string | null, TraceContext>,
): ReadonlyMap<string, Span> {
  return new Map(
    output.changed.slice(0, MAX_DETECTIONS).map(({ id, revision, rule, severity, hostname }) => {
      const parent = traceOfHost.get(hostname) ?? batchSpan.context;
      const links = parent === batchSpan.context || batchSpan.context === undefined ? [] : [batchSpan.context];
      const attributes = {
        'trapline.detection.id': id,
        'trapline.detection.revision': revision,
        'trapline.rule.id': rule.id,
        'trapline.detection.severity': severity,
      };
      return [id, tracing.start(`detection ${rule.id}`, { parent, links, attributes })];
    }),
  );
}

function optionsOf(step: string, parent: TraceContext | undefined): SpanOptions {
  const table = TABLES[step];
  if (table === undefined) return { parent, kind: step.startsWith('publish ') ? 'producer' : 'internal' };
  const attributes = {
    'db.system.name': 'clickhouse',
    'db.operation.name': 'INSERT',
    'db.collection.name': table,
  };
  return { parent, kind: 'client', attributes };
}
