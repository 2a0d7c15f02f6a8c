import { expect, test } from 'vitest';
import { createProcessRegistry } from '#deploy/processes/process-metrics.ts';
import { createPipelineMetrics } from '#ingest/pipeline/metrics.ts';

test('every metric has the prefix, including those of Node', async () => {
  const registry = createProcessRegistry();
  createPipelineMetrics(registry);
  const names = (await registry.getMetricsAsJSON()).map(({ name }) => name);
  expect(names).toContain('trapline_process_resident_memory_bytes');
  expect(names).toContain('trapline_nodejs_eventloop_lag_seconds');
  expect(names.filter((name) => !name.startsWith('trapline_'))).toEqual([]);
});

test('the pipeline uses the metric names of the contract', async () => {
  const registry = createProcessRegistry();
  const metrics = createPipelineMetrics(registry);
  metrics.landed(3);
  metrics.dead('malformed_json');
  metrics.dropped('already_landed');
  metrics.detection('stack-canary-probe', 'high', 1);
  metrics.lag('events.v1', 2, 7);
  metrics.step('decode', 0.25, 64);
  metrics.step('decode', 0.25, 64);
  metrics.batch(5, 0.125);
  const text = await registry.metrics();
  for (const line of [
    'trapline_events_total{result="accepted"} 3',
    'trapline_events_total{result="rejected"} 1',
    'trapline_events_total{result="already_landed"} 1',
    'trapline_dead_letters_total{code="malformed_json"} 1',
    'trapline_detections_total{rule="stack-canary-probe",severity="high"} 1',
    'trapline_pipeline_lag_records{topic="events.v1",partition="2"} 7',
    'trapline_pipeline_batch_seconds_sum{step="land"} 0.125',
    'trapline_pipeline_batch_seconds_sum{step="decode"} 0.5',
    'trapline_pipeline_batch_seconds_count{step="decode"} 1',
  ]) {
    expect(text).toContain(line);
  }
});
