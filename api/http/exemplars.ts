import { Histogram, type HistogramConfiguration, type Registry } from 'prom-client';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** Returns the exemplar of an observation: the id of its trace. Undefined for traces that are not recorded. */
export function exemplarLabels(trace: TraceContext | undefined): { readonly exemplarLabels?: Record<string, string> } {
  if (trace === undefined || !trace.sampled) return {};
  return { exemplarLabels: { trace_id: trace.traceId, span_id: trace.spanId } };
}

/**
 * Creates a histogram that keeps a trace per bucket. It is registered later: prom-client rejects exemplars in
 * registries of the Prometheus format, which has none.
 */
export function histogramWithExemplars<Label extends string>(
  registry: Registry,
  config: Omit<HistogramConfiguration<Label>, 'registers' | 'enableExemplars'>,
): Histogram<Label> {
  const histogram = new Histogram<Label>({ ...config, enableExemplars: true, registers: [] });
  registry.registerMetric(histogram);
  return histogram;
}
