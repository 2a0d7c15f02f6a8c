import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import { CLICKHOUSE, PROMETHEUS } from './data-sources.ts';

/** A query of a panel; the panel gives it its letter. */
export type Query = (refId: string) => Builder<Dataquery>;

/** As the ClickHouse data source of Grafana keeps what was written in its SQL editor. */
interface ClickHouseQuery extends Dataquery {
  readonly refId: string;
  readonly datasource: typeof CLICKHOUSE;
  readonly editorType: 'sql';
  readonly queryType: 'table' | 'timeseries';
  /** The same once more, as older versions of it read it. */
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

/** Rows as they are. */
export const rows = (sql: string): Query => clickhouse(sql, 'table');

/** A column of times, columns of text that name the lines, a column of numbers; in the order of time. */
export const overTime = (sql: string): Query => clickhouse(sql, 'timeseries');

/** PromQL over the time shown. */
export const promql = (expr: string, legend: string): Query => {
  return (refId) => new DataqueryBuilder().refId(refId).datasource(PROMETHEUS).expr(expr).range().legendFormat(legend);
};

/** The same with exemplars: observations whose traces are kept, as dots that lead to them. */
const promqlWithExemplars = (expr: string, legend: string): Query => {
  return (refId) =>
    new DataqueryBuilder().refId(refId).datasource(PROMETHEUS).expr(expr).range().exemplar(true).legendFormat(legend);
};

/** PromQL as it is now, a row for each series. */
export const promqlNow = (expr: string): Query => {
  return (refId) =>
    new DataqueryBuilder().refId(refId).datasource(PROMETHEUS).expr(expr).instant().format(PromQueryFormat.Table);
};

/** A series selector for the installation that is chosen. */
export function of(metric: string, labels = ''): string {
  return `${metric}{job=~"$job"${labels === '' ? '' : `, ${labels}`}}`;
}

/** Per second, over a span that suits the time shown. */
export const rate = (metric: string, labels = ''): string => `rate(${of(metric, labels)}[$__rate_interval])`;

/** What this share of a histogram's observations stays below: 0.99 of them, say. */
export function quantile(share: number, histogram: string, labels = ''): Query {
  return promqlWithExemplars(
    `histogram_quantile(${share}, sum by (le) (${rate(`${histogram}_bucket`, labels)}))`,
    `p${share * 100}`,
  );
}

/** An address as `0x…`: JavaScript, and so a browser, rounds numbers above 2^53. */
export const hexadecimal = (column: string): string => `printf('0x%x', ${column}) AS ${column}`;
