import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  type Dashboard,
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  RowBuilder,
  type VariableModel,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { clickhouseVariable, jobVariable, prometheusVariable } from './data-sources.ts';
import type { NumberedPanel } from './panels.ts';
import { tracesVariable } from './traces.ts';

const TAG = 'trapline';

export interface Board {
  /** Must never change: links and permissions in Grafana refer to it. */
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  /** Start of the default time range, such as `now-6h`. */
  readonly from: string;
  /** Variables in addition to the data sources and the installation. */
  readonly variables?: readonly Builder<VariableModel>[];
  readonly rows: readonly { readonly title: string; readonly panels: readonly NumberedPanel[] }[];
}

/**
 * Creates a dashboard of rows, with links to the other dashboards. Panels are numbered in order, so that links to a
 * panel stay valid in a new version.
 */
export function board({ uid, title, description, from, variables = [], rows }: Board): Dashboard {
  const builder = new DashboardBuilder(`Trapline / ${title}`)
    .uid(uid)
    .description(description)
    .tags([TAG])
    .time({ from, to: 'now' })
    .refresh('1m')
    .tooltip(DashboardCursorSync.Crosshair)
    .variables([clickhouseVariable(), prometheusVariable(), tracesVariable(), jobVariable(), ...variables])
    .link(
      new DashboardLinkBuilder('Trapline')
        .type(DashboardLinkType.Dashboards)
        .tags([TAG])
        .asDropdown(true)
        .keepTime(true)
        .includeVars(true),
    );
  let id = 0;
  for (const row of rows) {
    builder.withRow(new RowBuilder(row.title).id(++id));
    for (const panel of row.panels) builder.withPanel(panel(++id));
  }
  return builder.build();
}
