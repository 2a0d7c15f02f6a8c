import type { PipelineMetrics, StepName } from '../pipeline/metrics.ts';

/** One call of `PipelineMetrics`. */
export type MetricCall = {
  [Name in keyof PipelineMetrics]: readonly [Name, ...Parameters<PipelineMetrics[Name]>];
}[keyof PipelineMetrics];

/**
 * Metrics of a thread without a registry. They are sent to the thread with the registry with each landed batch and each
 * report of a failure. Until then, values of single records are summed.
 */
export function createRelayedMetrics(relay: (calls: readonly MetricCall[]) => void): PipelineMetrics {
  const dead = new Map<string, number>();
  const dropped = new Map<'already_landed' | 'duplicate_ingest_id', number>();
  const steps = new Map<StepName, { seconds: number; records: number }>();
  let calls: MetricCall[] = [];

  function flush(...last: readonly MetricCall[]): void {
    for (const [code, count] of dead) calls.push(['dead', code, count]);
    for (const [reason, count] of dropped) calls.push(['dropped', reason, count]);
    for (const [step, { seconds, records }] of steps) calls.push(['step', step, seconds, records]);
    dead.clear();
    dropped.clear();
    steps.clear();
    relay([...calls, ...last]);
    calls = [];
  }

  return {
    dead: (code, count = 1) => void dead.set(code, (dead.get(code) ?? 0) + count),
    dropped: (reason, count = 1) => void dropped.set(reason, (dropped.get(reason) ?? 0) + count),
    step(step, seconds, records) {
      const sum = steps.get(step) ?? { seconds: 0, records: 0 };
      steps.set(step, { seconds: sum.seconds + seconds, records: sum.records + records });
    },
    landed: (records) => void calls.push(['landed', records]),
    detection: (...values) => void calls.push(['detection', ...values]),
    batch: (records, seconds) => flush(['batch', records, seconds]),
    retried: (operation) => flush(['retried', operation]),
    fenced: () => flush(['fenced']),
    lag: (topic, partition, records) => flush(['lag', topic, partition, records]),
    forget: (topic, partition) => flush(['forget', topic, partition]),
  };
}

/** Applies metric calls that another thread sent. */
export function countRelayed(metrics: PipelineMetrics, calls: readonly MetricCall[]): void {
  for (const [name, ...values] of calls) (metrics[name] as (...all: typeof values) => void)(...values);
}
