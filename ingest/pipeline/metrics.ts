import { Counter, Gauge, Histogram, type Registry } from 'prom-client';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** Older evidence comes from archives and does not show the delay of the pipeline. */
const MAX_DELAY_SECONDS = 86_400;

/** Step names as metric labels, in pipeline order. */
export const STEPS = ['decode', 'validate', 'derive', 'encode', 'land'] as const;
export type StepName = (typeof STEPS)[number];

export interface PipelineMetrics {
  landed(records: number): void;
  dead(code: string, records?: number): void;
  dropped(reason: 'already_landed' | 'duplicate_ingest_id', records?: number): void;
  batch(records: number, seconds: number): void;
  /** Adds the time that a step took for `records` records. Per-record steps are sampled and extrapolated. */
  step(step: StepName, seconds: number, records: number): void;
  retried(operation: string): void;
  fenced(): void;
  /**
   * Records that a revision of a detection landed, and its delay after the last evidence. `trace` is undefined if none
   * is recorded.
   */
  detection(rule: string, severity: string, delaySeconds: number, trace?: TraceContext | undefined): void;
  lag(topic: string, partition: number, records: number): void;
  forget(topic: string, partition: number): void;
}

/** Registers the metrics of the pipeline. Names follow the Prometheus conventions (base units, `_total`). */
export function createPipelineMetrics(registry: Registry): PipelineMetrics {
  const registers = [registry];
  const events = new Counter({
    name: 'trapline_events_total',
    help: 'Records by result: accepted, rejected, or dropped as already_landed or duplicate_ingest_id.',
    labelNames: ['result'],
    registers,
  });
  // Starts each counter at 0: `increase()` does not see the first increment of a counter that did not exist before.
  for (const result of ['accepted', 'rejected', 'already_landed', 'duplicate_ingest_id']) events.inc({ result }, 0);
  const deadLetters = new Counter({
    name: 'trapline_dead_letters_total',
    help: 'Rejected records by error code.',
    labelNames: ['code'],
    registers,
  });
  const batchRecords = new Histogram({
    name: 'trapline_pipeline_batch_records',
    help: 'Records in a stored batch.',
    buckets: [1, 10, 100, 1000, 5000, 10000, 20000, 50000, 100000],
    registers,
  });
  const batchSeconds = new Histogram({
    name: 'trapline_pipeline_batch_seconds',
    help: 'Time of a step per batch. decode to encode are sampled and occupy the thread; land, including publishing, is waiting time.',
    labelNames: ['step'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers,
  });
  const stepSeconds = new Counter({
    name: 'trapline_pipeline_step_seconds_total',
    help: 'Total time of a step. decode to encode are sampled and occupy the thread; land, including publishing, is waiting time.',
    labelNames: ['step'],
    registers,
  });
  const stepRecords = new Counter({
    name: 'trapline_pipeline_step_records_total',
    help: 'Records that a step has processed.',
    labelNames: ['step'],
    registers,
  });
  const retries = new Counter({
    name: 'trapline_pipeline_retries_total',
    help: 'Operations retried after a temporary failure.',
    labelNames: ['operation'],
    registers,
  });
  const fenced = new Counter({
    name: 'trapline_pipeline_fenced_total',
    help: 'How often a lane was reopened because another process had written to it.',
    registers,
  });
  const detections = new Counter({
    name: 'trapline_detections_total',
    help: 'Detections that were stored as new or updated, each at most once per batch.',
    labelNames: ['rule', 'severity'],
    registers,
  });
  const observeDelay = delayHistogram(registry);
  const lag = new Gauge({
    name: 'trapline_pipeline_lag_records',
    help: 'Records of a partition that are not stored yet.',
    labelNames: ['topic', 'partition'],
    registers,
  });
  /** Seconds of the sampled steps since the last batch. */
  const sampled = new Map<StepName, number>();
  return {
    landed: (count) => events.inc({ result: 'accepted' }, count),
    dead(code, count = 1) {
      events.inc({ result: 'rejected' }, count);
      deadLetters.inc({ code }, count);
    },
    dropped: (reason, count = 1) => events.inc({ result: reason }, count),
    batch(count, seconds) {
      batchRecords.observe(count);
      batchSeconds.observe({ step: 'land' }, seconds);
      for (const [step, spent] of sampled) batchSeconds.observe({ step }, spent);
      sampled.clear();
    },
    step(step, seconds, count) {
      if (step !== 'land') sampled.set(step, (sampled.get(step) ?? 0) + seconds);
      stepSeconds.inc({ step }, seconds);
      stepRecords.inc({ step }, count);
    },
    retried: (operation) => retries.inc({ operation }),
    fenced: () => fenced.inc(),
    detection(rule, severity, delaySeconds, trace) {
      detections.inc({ rule, severity });
      observeDelay(delaySeconds, trace);
    },
    lag: (topic, partition, count) => lag.set({ topic, partition: String(partition) }, count),
    forget: (topic, partition) => lag.remove({ topic, partition: String(partition) }),
  };
}

/** Registers the histogram of detection delay. */
function delayHistogram(registry: Registry): (seconds: number, trace: TraceContext | undefined) => void {
  const delay = new Histogram({
    name: 'trapline_detection_delay_seconds',
    help: 'Time from the last evidence of a detection, by the clock of its host, until the detection was stored. Evidence older than a day is not counted, because it was read from an archive.',
    buckets: [1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600, 21_600, 86_400],
    enableExemplars: true,
    registers: [],
  });
  // prom-client rejects exemplars in registries of the Prometheus format. There, the exemplar is omitted.
  registry.registerMetric(delay);
  return (seconds, trace) => {
    if (seconds > MAX_DELAY_SECONDS) return;
    // A fast host clock would give a negative delay.
    const value = Math.max(0, seconds);
    if (trace === undefined) delay.observe({ value });
    else delay.observe({ value, exemplarLabels: { trace_id: trace.traceId, span_id: trace.spanId } });
  };
}
