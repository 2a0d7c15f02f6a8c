import type { Builder } from '@grafana/grafana-foundation-sdk/cog';
import {
  GraphGradientMode,
  GraphThresholdsStyleConfigBuilder,
  GraphThresholdsStyleMode,
  LegendDisplayMode,
  LegendPlacement,
  ReduceDataOptionsBuilder,
  StackingConfigBuilder,
  StackingMode,
  TooltipDisplayMode,
  VizLegendOptionsBuilder,
  VizTooltipOptionsBuilder,
} from '@grafana/grafana-foundation-sdk/common';
import {
  type DashboardLink,
  type Panel,
  type Threshold,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { PanelBuilder as StatBuilder } from '@grafana/grafana-foundation-sdk/stat';
import { PanelBuilder as TableBuilder } from '@grafana/grafana-foundation-sdk/table';
import { PanelBuilder as TimeSeriesBuilder } from '@grafana/grafana-foundation-sdk/timeseries';
import type { Query } from './queries.ts';

/** A panel that the board still has to number. */
export type NumberedPanel = (id: number) => Builder<Panel>;

interface Common {
  readonly title: string;
  /** Meaning of the panel and what to do, shown at its corner. */
  readonly description?: string;
  readonly unit?: string;
  readonly queries: readonly Query[];
  /** Width in columns. A board has 24. */
  readonly width?: number;
}

/** Values from which a number is orange or red. Over time, they are dashed lines. */
export interface Limits {
  readonly warning?: number;
  readonly bad: number;
}

/** Lines, or stacked areas, over time. */
export function lines(options: Common & { readonly stacked?: boolean; readonly limits?: Limits }): NumberedPanel {
  const { title, description, unit = 'short', queries, width = 12, stacked = false, limits } = options;
  return (id) => {
    const panel = new TimeSeriesBuilder()
      .id(id)
      .title(title)
      .unit(unit)
      .min(0)
      .span(width)
      .height(8)
      .fillOpacity(stacked ? 30 : 8)
      .gradientMode(GraphGradientMode.Opacity)
      .targets(lettered(queries))
      .tooltip(new VizTooltipOptionsBuilder().mode(TooltipDisplayMode.Multi))
      .legend(
        new VizLegendOptionsBuilder()
          .displayMode(LegendDisplayMode.List)
          .placement(LegendPlacement.Bottom)
          .showLegend(true),
      );
    if (stacked) panel.stacking(new StackingConfigBuilder().mode(StackingMode.Normal));
    // Grafana does not draw limits by default.
    if (limits !== undefined)
      panel
        .thresholds(thresholds(limits))
        .thresholdsStyle(new GraphThresholdsStyleConfigBuilder().mode(GraphThresholdsStyleMode.Dashed));
    return description === undefined ? panel : panel.description(description);
  };
}

/** The latest value, or one per series. */
export function figure(options: Common & { readonly limits?: Limits; readonly none?: string }): NumberedPanel {
  const { title, description, unit = 'short', queries, width = 4, limits, none = '0' } = options;
  return (id) => {
    const panel = new StatBuilder()
      .id(id)
      .title(title)
      .unit(unit)
      .span(width)
      .height(4)
      .noValue(none)
      .reduceOptions(new ReduceDataOptionsBuilder().calcs(['lastNotNull']).values(false))
      .targets(lettered(queries))
      .thresholds(thresholds(limits));
    return description === undefined ? panel : panel.description(description);
  };
}

/** A table. A click on a cell shows its full content. */
export function table(options: Common & { readonly links?: readonly Builder<DashboardLink>[] }): NumberedPanel {
  const { title, description, unit, queries, width = 24, links = [] } = options;
  return (id) => {
    const panel = new TableBuilder()
      .id(id)
      .title(title)
      .span(width)
      .height(9)
      .filterable(true)
      .inspect(true)
      .dataLinks([...links])
      .targets(lettered(queries));
    if (unit !== undefined) panel.unit(unit);
    return description === undefined ? panel : panel.description(description);
  };
}

function lettered(queries: readonly Query[]) {
  return queries.map((query, index) => query(String.fromCharCode(65 + index)));
}

function thresholds(limits: Limits | undefined): ThresholdsConfigBuilder {
  const steps: Threshold[] = [{ value: null, color: limits === undefined ? 'blue' : 'green' }];
  if (limits?.warning !== undefined) steps.push({ value: limits.warning, color: 'orange' });
  if (limits !== undefined) steps.push({ value: limits.bad, color: 'red' });
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps);
}
