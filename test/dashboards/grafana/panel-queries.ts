import { BOARDS } from '#dashboards/grafana/boards/all-boards.ts';

export interface PanelQuery {
  /** Title of the board and of the panel, for the test report. */
  readonly name: string;
  readonly language: 'sql' | 'promql';
  readonly text: string;
  readonly legend: string;
}

interface Target {
  readonly rawSql?: string;
  readonly expr?: string;
  readonly legendFormat?: string;
}

/** Every query of every panel, as written in the dashboard files. */
export const PANEL_QUERIES: readonly PanelQuery[] = Object.values(BOARDS).flatMap(({ title = '', panels = [] }) =>
  panels.flatMap((panel) =>
    ('targets' in panel ? (panel.targets ?? []) : []).map((target) => {
      const { rawSql, expr, legendFormat = '' } = target as Target;
      return {
        name: `${title} / ${panel.title} / ${rawSql === undefined ? expr : ''}`,
        language: rawSql === undefined ? ('promql' as const) : ('sql' as const),
        text: rawSql ?? expr ?? '',
        legend: legendFormat,
      };
    }),
  ),
);

/** Queries of the variables at the top of each board. */
export const VARIABLE_QUERIES = Object.values(BOARDS).flatMap(({ title, templating }) =>
  (templating?.list ?? [])
    .filter(({ type }) => type === 'query')
    .map(({ name, query }) => ({ name: `${title} / $${name}`, text: String(query) })),
);
