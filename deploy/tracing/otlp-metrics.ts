import { type Attributes, type HrTime, ValueType } from '@opentelemetry/api';
import { MetricsExporterMetricsHelper, ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer';
import { emptyResource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  type DataPoint,
  DataPointType,
  type Histogram,
  MeterProvider,
  type MetricData,
  type MetricProducer,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import type { Registry } from 'prom-client';
import { PRODUCT_VERSION } from '#schemas/product-version.ts';
import type { OtlpMetricsConfig } from '../config/tracing-settings.ts';
import { closeWithin, createExporter, EXPORT_MS, logFailures, resourceOf } from './otlp-common.ts';
import type { TelemetryLog, TelemetrySource } from './port.ts';

/** Sends the metrics of a process at intervals: the ones that Prometheus scrapes, with the same names. */
export function startMetrics(
  config: OtlpMetricsConfig,
  registry: Registry,
  { log, ...source }: TelemetrySource & { readonly log: TelemetryLog },
): { close(): Promise<void> } {
  logFailures(log);
  const exporter = createExporter('metrics', config, ProtobufMetricsSerializer, MetricsExporterMetricsHelper);
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: config.intervalMs,
    exportTimeoutMillis: Math.min(config.intervalMs, EXPORT_MS),
    metricProducers: [producerOf(registry)],
  });
  const provider = new MeterProvider({ resource: resourceOf(config, source), readers: [reader] });
  return { close: () => closeWithin(provider.shutdown()) };
}

function producerOf(registry: Registry): MetricProducer {
  return {
    async collect() {
      const now = Date.now();
      const found = (await registry.getMetricsAsJSON()) as unknown as readonly RegisteredMetric[];
      const metrics = found.flatMap((metric) => metricDataOf(metric, performance.timeOrigin, now));
      const scope = { name: 'trapline', version: PRODUCT_VERSION };
      return { resourceMetrics: { resource: emptyResource(), scopeMetrics: [{ scope, metrics }] }, errors: [] };
    },
  };
}

/** A metric as prom-client represents it. */
export interface RegisteredMetric {
  readonly name: string;
  readonly help: string;
  /** A number in the code of prom-client, a word in its JSON. */
  readonly type: unknown;
  readonly values: readonly {
    readonly value: number;
    readonly labels: Readonly<Record<string, string | number>>;
    /** For a histogram: its name with `_bucket`, `_sum` or `_count`. */
    readonly metricName?: string;
  }[];
}

/**
 * Converts a metric to the OpenTelemetry model. Counters and histograms are cumulative since the start of the process.
 * Summaries are omitted, because no metric is one.
 */
export function metricDataOf({ name, help, type, values }: RegisteredMetric, startMs: number, nowMs: number) {
  const times = { startTime: hrTimeOf(startMs), endTime: hrTimeOf(nowMs) };
  const common = {
    descriptor: { name, description: help, unit: unitOf(name), valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  const numbers = () => values.map(({ value, labels }) => ({ ...times, attributes: attributesOf(labels), value }));
  const data: MetricData[] = [];
  if (type === 'gauge') data.push({ ...common, dataPointType: DataPointType.GAUGE, dataPoints: numbers() });
  if (type === 'counter')
    data.push({ ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints: numbers() });
  if (type === 'histogram')
    data.push({ ...common, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramsOf(name, values, times) });
  return data;
}

/** Converts buckets: Prometheus counts them cumulatively, OpenTelemetry individually. */
function histogramsOf(
  name: string,
  values: RegisteredMetric['values'],
  times: Pick<DataPoint<Histogram>, 'startTime' | 'endTime'>,
): DataPoint<Histogram>[] {
  const series = new Map<string, { labels: Attributes; buckets: [number, number][]; sum: number; count: number }>();
  for (const { value, labels, metricName } of values) {
    const { le, ...own } = labels;
    const key = JSON.stringify(Object.entries(own).toSorted());
    const one = series.get(key) ?? { labels: attributesOf(own), buckets: [], sum: 0, count: 0 };
    series.set(key, one);
    if (metricName === `${name}_sum`) one.sum = value;
    else if (metricName === `${name}_count`) one.count = value;
    else if (le !== undefined && le !== '+Inf') one.buckets.push([Number(le), value]);
  }
  return [...series.values()].map(({ labels, buckets, sum, count }) => {
    const sorted = buckets.toSorted(([a], [b]) => a - b);
    const cumulative = [...sorted.map(([, below]) => below), count];
    const counts = cumulative.map((below, at) => below - (cumulative[at - 1] ?? 0));
    return {
      ...times,
      attributes: labels,
      value: { buckets: { boundaries: sorted.map(([bound]) => bound), counts }, sum, count },
    };
  });
}

/** Returns the unit by the suffix of the name, following the Prometheus conventions. */
function unitOf(name: string): string {
  const unit = /_(seconds|bytes|ratio)(?:_total)?$/.exec(name)?.[1] ?? '';
  return { seconds: 's', bytes: 'By', ratio: '1' }[unit] ?? '';
}

function attributesOf(labels: Readonly<Record<string, string | number>>): Attributes {
  return Object.fromEntries(Object.entries(labels).map(([name, value]) => [name, String(value)]));
}

function hrTimeOf(epochMs: number): HrTime {
  const seconds = Math.floor(epochMs / 1_000);
  return [seconds, Math.round((epochMs - seconds * 1_000) * 1e6)];
}
