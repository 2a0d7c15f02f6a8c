import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/common';
import {
  DatasourceVariableBuilder,
  QueryVariableBuilder,
  type VariableModel,
  VariableRefresh,
  VariableSort,
} from '@grafana/grafana-foundation-sdk/dashboard';

/** Both data sources are selected on the dashboard, because their names differ between Grafana installations. */
export const CLICKHOUSE: DataSourceRef = { type: 'grafana-clickhouse-datasource', uid: '$clickhouse' };
export const PROMETHEUS: DataSourceRef = { type: 'prometheus', uid: '$prometheus' };

type Variable = Builder<VariableModel>;

export function clickhouseVariable(): Variable {
  return new DatasourceVariableBuilder('clickhouse').label('ClickHouse').type(CLICKHOUSE.type ?? '');
}

export function prometheusVariable(): Variable {
  return new DatasourceVariableBuilder('prometheus').label('Prometheus').type(PROMETHEUS.type ?? '');
}

/** An installation is one Prometheus job, whatever its number of processes. */
export function jobVariable(): Variable {
  return chosenFrom('job', 'Installation', PROMETHEUS, 'label_values(trapline_component_up, job)');
}

/**
 * Names come from events. An attacker can choose them by crashing programs, so they must not become part of a query.
 * The value of the variable is the name in hexadecimal digits, which `chosen` decodes in ClickHouse.
 */
export function nameVariable(name: 'host' | 'program', column: 'hostname' | 'procname', label: string): Variable {
  return chosenFrom(
    name,
    label,
    CLICKHOUSE,
    `SELECT hex(name) AS id, name FROM (
  SELECT DISTINCT assumeNotNull(${column}) AS name FROM events WHERE $__timeFilter(received) AND ${column} IS NOT NULL
) ORDER BY name LIMIT 1000`,
  );
}

/**
 * Returns SQL that selects rows by the dashboard variable. If it is All, selects all rows, including those without a
 * name.
 */
export function chosen(column: 'hostname' | 'procname', variable: 'host' | 'program'): string {
  const names = `SELECT unhex(arrayJoin([\${${variable}:singlequote}]))`;
  return `$__conditionalAll(${column} IN (${names}), $${variable})`;
}

function chosenFrom(name: string, label: string, datasource: DataSourceRef, query: string): Variable {
  return new QueryVariableBuilder(name)
    .label(label)
    .datasource(datasource)
    .query(query)
    .refresh(VariableRefresh.OnTimeRangeChanged)
    .sort(VariableSort.AlphabeticalAsc)
    .multi(true)
    .includeAll(true)
    .allowCustomValue(false)
    .current({ selected: true, text: 'All', value: '$__all' });
}
