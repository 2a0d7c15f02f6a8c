// biome-ignore-all lint/suspicious/noTemplateCurlyInString: variables of Grafana are written so
import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/common';
import {
  type DashboardLink,
  DashboardLinkBuilder,
  DatasourceVariableBuilder,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';

/** The data source of traces, selected on the dashboard. Without one, only the links do not work. */
const TRACES: DataSourceRef = { type: 'tempo', uid: '${traces}' };

/** Returns the variable that selects the data source of traces. */
export function tracesVariable(): Builder<VariableModel> {
  return new DatasourceVariableBuilder('traces').label('Traces').type(TRACES.type ?? '');
}

/** Returns a link from a table row to the traces whose span has this attribute, with the value of the column. */
export function traceLink(attribute: string, column: string): Builder<DashboardLink> {
  const query = `{ span.${attribute} = "\${__data.fields.${column}}" }`;
  const pane = {
    datasource: TRACES.uid,
    queries: [{ refId: 'A', datasource: TRACES, queryType: 'traceql', query }],
    range: { from: '${__from}', to: '${__to}' },
  };
  // Grafana inserts variables after it has decoded the URL, so the characters that mark them must not be encoded.
  const panes = encodeURIComponent(JSON.stringify({ traces: pane }))
    .replaceAll('%24%7B', '${')
    .replaceAll('%7D', '}');
  return new DashboardLinkBuilder('Show the trace').url(`/explore?schemaVersion=1&panes=${panes}`).targetBlank(true);
}
