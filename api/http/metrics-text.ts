import { type Metric, type OpenMetricsContentType, Registry } from 'prom-client';

/** Metrics as text, and the content type of their format. */
export interface MetricsText {
  readonly contentType: string;
  readonly text: string;
}

const OPEN_METRICS = Registry.OPENMETRICS_CONTENT_TYPE;

/**
 * Returns metrics in the Prometheus text format, or in OpenMetrics for clients that accept it. Only OpenMetrics has
 * exemplars.
 */
export async function metricsText(registry: Registry, accept: string | undefined): Promise<MetricsText> {
  if (!acceptsOpenMetrics(accept)) return { contentType: registry.contentType, text: await registry.metrics() };
  const open = new Registry<OpenMetricsContentType>();
  open.setContentType(OPEN_METRICS);
  for (const metric of registry.getMetricsAsArray()) open.registerMetric(renamed(metric));
  return { contentType: OPEN_METRICS, text: await open.metrics() };
}

function acceptsOpenMetrics(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((one) => {
    const [type = '', ...parameters] = one.split(';').map((part) => part.trim());
    return type === 'application/openmetrics-text' && !parameters.some((part) => /^q=0(?:\.0*)?$/.test(part));
  });
}

interface PromMetric {
  readonly type: string;
  readonly name: string;
  get(): Promise<object>;
  getForPromString?(): Promise<object>;
}

/**
 * When prom-client writes OpenMetrics, it renames the counters of the registry. A copy leaves the registry of the
 * process unchanged.
 */
function renamed(given: object): Metric {
  const metric = given as PromMetric;
  const name = metric.type === 'counter' ? metric.name.replace(/_total$/, '') : metric.name;
  const read = async () => ({ ...(await (metric.getForPromString?.() ?? metric.get())), name });
  return { name, type: metric.type, get: read, getForPromString: read } as unknown as Metric;
}
