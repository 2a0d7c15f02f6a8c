import { Histogram, type HistogramConfiguration, type Registry } from 'prom-client';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

/** The exemplar of an observation: the trace that it belongs to. None for traces that are not recorded. */
export function exemplarLabels(trace: TraceContext | undefined): { readonly exemplarLabels?: Record<string, string> } {
  if (trace === undefined || !trace.sampled) return {};
  return { exemplarLabels: { trace_id: trace.traceId, span_id: trace.spanId } };
}

/**
 * A histogram that keeps a trace for each bucket. It is registered afterwards: prom-client refuses exemplars in registries of the Prometheus format, which
 * leaves them out.
 */
export function histogramWithExemplars<Label extends string>(
  registry: Registry,
  config: Omit<HistogramConfiguration<Label>, 'registers' | 'enableExemplars'>,
): Histogram<Label> {
  const histogram = new Histogram<Label>({ ...config, enableExemplars: true, registers: [] });
  registry.registerMetric(histogram);
  return histogram;
}
