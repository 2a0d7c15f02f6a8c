import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { createPipelineMetrics, type PipelineMetrics } from '#ingest/pipeline/metrics.ts';
import { countRelayed, createRelayedMetrics } from '#ingest/threads/relayed-metrics.ts';

function callAll(metrics: PipelineMetrics): void {
  metrics.dead('invalid_json');
  metrics.dead('invalid_json');
  metrics.dropped('already_landed');
  metrics.dropped('duplicate_ingest_id');
  metrics.step('decode', 0.25, 61);
  metrics.step('decode', 0.5, 61);
  metrics.retried('land events');
  metrics.landed(10);
  metrics.detection('instruction-pointer-probe', 'critical', 1);
  metrics.fenced();
  metrics.batch(10, 0.125);
  metrics.lag('events.v1', 3, 7);
  metrics.lag('events.v1', 4, 7);
  metrics.forget('events.v1', 4);
}

it('gives the same result as counting in the thread of the registry', async () => {
  const [here, there] = [new Registry(), new Registry()];
  callAll(createPipelineMetrics(here));
  const counted = createPipelineMetrics(there);
  callAll(createRelayedMetrics((calls) => countRelayed(counted, structuredClone(calls))));
  const figures = async (registry: Registry) =>
    (await registry.metrics()).split('\n').filter((line) => !/^trapline_pipeline_batch_seconds.*"decode"/.test(line));
  expect(await figures(there)).toEqual(await figures(here));
  expect((await there.metrics()).includes('trapline_dead_letters_total{code="invalid_json"} 2')).toBe(true);
});
