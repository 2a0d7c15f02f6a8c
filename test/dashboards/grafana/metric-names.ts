import { ALERTS, RULE_GROUPS } from '#dashboards/grafana/alerts/all-rules.ts';
import { PANEL_QUERIES } from './panel-queries.ts';

/** Rules that keep an answer under a name of its own. */
export const RECORDED = RULE_GROUPS.flatMap(({ rules }) => rules.filter((rule) => 'record' in rule));

/** PromQL of every rule, by the name of its alert or record. */
export const RULE_QUERIES = [
  ...ALERTS.map(({ alert, expr }) => ({ name: alert, expr })),
  ...RECORDED.map(({ record, expr }) => ({ name: record, expr })),
];

/** Metrics a query names. Whatever is neither a function nor a label of one has our prefix, or that of what rules record. */
export const named = (expr: string): string[] => expr.match(/\b(?:up|(?:job:)?trapline_[\w:]+)\b/g) ?? [];

/** Metrics of Prometheus itself and of the recording rules, in addition to those of the processes. */
const OF_PROMETHEUS: ReadonlySet<string> = new Set(['up', ...RECORDED.map(({ record }) => record)]);

/** Every metric of a process that a panel or a rule names. */
export const NAMED_OF_PROCESSES: readonly string[] = [
  ...new Set([
    ...PANEL_QUERIES.flatMap(({ language, text }) => (language === 'promql' ? named(text) : [])),
    ...RULE_QUERIES.flatMap(({ expr }) => named(expr)),
  ]),
]
  .filter((name) => !OF_PROMETHEUS.has(name))
  .sort();

/** Names a query may use, of metrics by name and type; a histogram is asked by its parts. OpenMetrics names the family of a counter without `_total`. */
export function namesOf(metrics: readonly { readonly metric: string; readonly type: string }[]): Set<string> {
  const parts = (metric: string) => [`${metric}_bucket`, `${metric}_sum`, `${metric}_count`];
  const exported = metrics.flatMap(({ metric, type }) =>
    type === 'histogram' ? parts(metric) : type === 'counter' ? [metric, `${metric}_total`] : [metric],
  );
  return new Set([...OF_PROMETHEUS, ...exported]);
}
