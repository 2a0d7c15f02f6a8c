import { ALERTS, RULE_GROUPS } from '#dashboards/grafana/alerts/all-rules.ts';
import { PANEL_QUERIES } from './panel-queries.ts';

/** Recording rules. */
export const RECORDED = RULE_GROUPS.flatMap(({ rules }) => rules.filter((rule) => 'record' in rule));

/** PromQL of every rule, with the name of its alert or recorded metric. */
export const RULE_QUERIES = [
  ...ALERTS.map(({ alert, expr }) => ({ name: alert, expr })),
  ...RECORDED.map(({ record, expr }) => ({ name: record, expr })),
];

/**
 * Returns the metrics that a query names. All metrics have the prefix of the product or that of the recording rules;
 * functions and labels do not.
 */
export const named = (expr: string): string[] => expr.match(/\b(?:up|(?:job:)?trapline_[\w:]+)\b/g) ?? [];

/** Metrics of Prometheus and of the recording rules, which the processes do not export. */
const OF_PROMETHEUS: ReadonlySet<string> = new Set(['up', ...RECORDED.map(({ record }) => record)]);

/** All metrics of the processes that a panel or a rule names. */
export const NAMED_OF_PROCESSES: readonly string[] = [
  ...new Set([
    ...PANEL_QUERIES.flatMap(({ language, text }) => (language === 'promql' ? named(text) : [])),
    ...RULE_QUERIES.flatMap(({ expr }) => named(expr)),
  ]),
]
  .filter((name) => !OF_PROMETHEUS.has(name))
  .sort();

/**
 * Returns the metric names that a query may use. A histogram is queried by its `_bucket`, `_sum` and `_count`. In
 * OpenMetrics the name of a counter family lacks `_total`.
 */
export function namesOf(metrics: readonly { readonly metric: string; readonly type: string }[]): Set<string> {
  const parts = (metric: string) => [`${metric}_bucket`, `${metric}_sum`, `${metric}_count`];
  const exported = metrics.flatMap(({ metric, type }) =>
    type === 'histogram' ? parts(metric) : type === 'counter' ? [metric, `${metric}_total`] : [metric],
  );
  return new Set([...OF_PROMETHEUS, ...exported]);
}
