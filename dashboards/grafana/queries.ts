import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { CLICKHOUSE, PROMETHEUS } from './data-sources.ts';

/** A query of a panel. The panel assigns its letter (`refId`). */
export type Query = (refId: string) => Builder<Dataquery>;

/** A query in the form that Grafana's ClickHouse data source stores from its SQL editor. */
interface ClickHouseQuery extends Dataquery {
  readonly refId: string;
  readonly datasource: typeof CLICKHOUSE;
  readonly editorType: 'sql';
  readonly queryType: 'table' | 'timeseries';
  /** The same value for older versions of the data source. */
  readonly format: 0 | 1;
  readonly rawSql: string;
}

function clickhouse(rawSql: string, queryType: ClickHouseQuery['queryType']): Query {
  return (refId) => ({
    build(): ClickHouseQuery {
      return {
        refId,
        datasource: CLICKHOUSE,
        editorType: 'sql',
        queryType,
        format: queryType === 'timeseries' ? 0 : 1,
        rawSql,
        _implementsDataqueryVariant() {},
      };
    },
  });
}

/** Rows as returned by the query. */
export const rows = (sql: string): Query => clickhouse(sql, 'table');

/** Needs a time column, text columns that name the lines, and a number column, in order of time. */
export const overTime = (sql: string): Query => clickhouse(sql, 'timeseries');

/** PromQL over the dashboard's time range. */
export const promql = (expr: string, legend: string): Query => {
  return (refId) => new DataqueryBuilder().refId(refId).datasource(PROMETHEUS).expr(expr).range().legendFormat(legend);
};

/** Like `promql`, with exemplars: observations whose traces are stored, as dots with a link. */
const promqlWithExemplars = (expr: string, legend: string): Query => {
  return (refId) =>
    new DataqueryBuilder().refId(refId).datasource(PROMETHEUS).expr(expr).range().exemplar(true).legendFormat(legend);
};

/** PromQL at the current time, with one row per series. */
export const promqlNow = (expr: string): Query => {
  return (refId) =>
    new DataqueryBuilder().refId(refId).datasource(PROMETHEUS).expr(expr).instant().format(PromQueryFormat.Table);
};

/** Returns a series selector for the selected installation. */
export function of(metric: string, labels = ''): string {
  return `${metric}{job=~"$job"${labels === '' ? '' : `, ${labels}`}}`;
}

/** Returns the rate per second, over an interval that fits the dashboard's time range. */
export const rate = (metric: string, labels = ''): string => `rate(${of(metric, labels)}[$__rate_interval])`;

/** Returns the quantile of a histogram, for example for 0.99. */
export function quantile(share: number, histogram: string, labels = ''): Query {
  return promqlWithExemplars(
    `histogram_quantile(${share}, sum by (le) (${rate(`${histogram}_bucket`, labels)}))`,
    `p${share * 100}`,
  );
}

/** Formats an address as `0x…`, because JavaScript rounds numbers above 2^53. */
export const hexadecimal = (column: string): string => `printf('0x%x', ${column}) AS ${column}`;
