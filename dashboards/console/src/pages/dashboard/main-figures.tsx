import { type Figure, FigureTiles } from '../../parts/charts/figure-tile.tsx';
import { countText, millisText, percentText, rateText } from './quantities.ts';
import { DASHBOARD_TEXT } from './text.ts';
import { type Range, useDashboard } from './use-dashboard.ts';

const TEXT = DASHBOARD_TEXT.figures;

/**
 * Main figures, which the panels below explain, from the same responses. A dash means that the value is not loaded yet.
 */
export function MainFigures({ range }: { readonly range: Range }) {
  const pipeline = useDashboard('pipeline', range).data;
  const requests = useDashboard('requests', range).data;
  const queue = useDashboard('queue', range).data;
  const system = useDashboard('system', range).data;
  const shown = <T,>(found: T | null | undefined, text: (value: T) => string) =>
    found === undefined || found === null ? TEXT.unknown : text(found);
  const seconds = pipeline && (Date.parse(pipeline.to) - Date.parse(pipeline.from)) / 1_000;
  const within = DASHBOARD_TEXT.timeRanges[range];
  const figures: readonly Figure[] = [
    {
      label: TEXT.events,
      value: shown(pipeline && seconds && pipeline.totals.events / seconds, rateText),
      hint: within,
    },
    { label: TEXT.deadLetters, value: shown(pipeline?.totals.deadLetters, countText), hint: within },
    {
      label: TEXT.latency,
      value: shown(requests?.series.findLast(({ p95Ms }) => p95Ms !== null)?.p95Ms, millisText),
      hint: TEXT.latest,
    },
    {
      label: TEXT.errors,
      value: shown(requests && (requests.total === 0 ? 0 : (100 * requests.errors) / requests.total), percentText),
      hint: within,
    },
    {
      label: TEXT.waiting,
      value: shown(
        queue?.queues.reduce((sum, { ready }) => sum + ready, 0),
        countText,
      ),
      hint: TEXT.now,
    },
    { label: TEXT.cpu, value: shown(system?.series.at(-1)?.cpuPercent, percentText), hint: TEXT.latest },
  ];
  return <FigureTiles label={TEXT.title} figures={figures} />;
}
