import { cell, generatedPage, table } from './markdown.ts';

/** The page of metrics, from the text that a process with all roles serves in the Prometheus exposition format. */
export function metricsPage(exposition: string): string {
  const types = new Map(
    [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
  );
  const rows = [...exposition.matchAll(/^# HELP (\S+) (.*)$/gm)]
    .map(([, name = '', help = '']) => [`\`${name}\``, types.get(name) ?? '', cell(help)])
    .sort(([a = ''], [b = '']) => a.localeCompare(b));
  const introduction =
    'Metrics of `trapline start`, which has all roles. `ingest`, `api` and `worker` serve their part of them at `/metrics`. `dashboards/grafana` has boards and alerts for them.';
  return `${generatedPage('Metrics', introduction)}\n${table(['Metric', 'Type', 'Meaning'], rows)}`;
}
