// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Grafana are written so
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/common';
import {
  type DashboardLink,
  DashboardLinkBuilder,
  DatasourceVariableBuilder,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';

/** Where traces are kept; selected on the dashboard. Without one the links lead nowhere, and everything else works. */
const TRACES: DataSourceRef = { type: 'tempo', uid: '${traces}' };

/** The data source of traces. */
export function tracesVariable(): Builder<VariableModel> {
  return new DatasourceVariableBuilder('traces').label('Traces').type(TRACES.type ?? '');
}

/** A link of a table to the traces whose span has this attribute, with the value of the column of the same row. */
export function traceLink(attribute: string, column: string): Builder<DashboardLink> {
  const query = `{ span.${attribute} = "\${__data.fields.${column}}" }`;
  const pane = {
    datasource: TRACES.uid,
    queries: [{ refId: 'A', datasource: TRACES, queryType: 'traceql', query }],
    range: { from: '${__from}', to: '${__to}' },
  };
  // Grafana puts variables in after it has decoded the address, so their marks must not be encoded.
  const panes = encodeURIComponent(JSON.stringify({ traces: pane }))
    .replaceAll('%24%7B', '${')
    .replaceAll('%7D', '}');
  return new DashboardLinkBuilder('Show the trace').url(`/explore?schemaVersion=1&panes=${panes}`).targetBlank(true);
}
