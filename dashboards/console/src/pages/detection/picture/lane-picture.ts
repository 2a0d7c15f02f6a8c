import { visible } from '../../../parts/visible.ts';
import { eventText, typeText } from '../../events/event-columns.tsx';
import type { DetectionWithEvidence, EventRecord } from '../detection-types.ts';
import { DETECTION_TEXT } from '../text.ts';
import { crashLines, oldestFirst, placeText, secondsOf } from './crash-text.ts';
import { firstReports } from './first-reports.ts';
import type { Mark, PictureModel } from './picture-model.ts';

const TEXT = DETECTION_TEXT.lanes;

type Evidence = Pick<DetectionWithEvidence, 'evidence'>;

/** Lanes that fit; further names share one. */
const MAX_LANES = 20;
const NATURAL = new Intl.Collator('en', { numeric: true });

/** Something that happened, in the lane of its name. */
export interface LaneItem {
  readonly lane: string;
  readonly mark: Omit<Mark, 'y'>;
}

/** Items over time in one lane for each name; names beyond the limit share the last lane. `order`: of the names; default by their first item. */
export function lanesOf(
  items: readonly LaneItem[],
  order?: (a: string, b: string) => number,
): Pick<PictureModel, 'axis' | 'marks'> & { readonly names: readonly string[] } {
  const found = [...new Set(items.map(({ lane }) => lane))];
  const names = order === undefined ? found : found.sort(order);
  const shown = names.length > MAX_LANES ? names.slice(0, MAX_LANES - 1) : names;
  const rest = names.length - shown.length;
  const indexes = new Map(shown.map((name, index) => [name, index]));
  return {
    names,
    axis: { kind: 'lanes', names: rest === 0 ? shown : [...shown, TEXT.others(rest)] },
    marks: items.map(({ lane, mark }) => ({ ...mark, y: indexes.get(lane) ?? shown.length })),
  };
}

const crashMark = (record: EventRecord, lines = crashLines(record)): LaneItem['mark'] => ({
  seconds: secondsOf(record),
  shape: record.event.event.type === 'LinuxKernelTrap' ? 'dot' : 'ring',
  lines,
  opens: { kind: 'event', id: record.id },
});

function crashLegend(reports: readonly EventRecord[]): PictureModel['legend'] {
  const traps = reports.some(({ event }) => event.event.type === 'LinuxKernelTrap');
  const signals = reports.some(({ event }) => event.event.type === 'LinuxFatalSignal');
  return [
    ...(traps ? [{ symbol: 'dot' as const, text: DETECTION_TEXT.plot.trap }] : []),
    ...(signals ? [{ symbol: 'ring' as const, text: DETECTION_TEXT.plot.signal }] : []),
  ];
}

/** Crashes of a campaign over time, in a lane for each host. */
export function hostsPicture({ evidence }: Evidence): PictureModel | undefined {
  const reports = firstReports(oldestFirst(evidence));
  if (reports.length === 0) return undefined;
  const items = reports.map((record): LaneItem => {
    const host = visible(record.event.hostname ?? TEXT.unnamedHost);
    return { lane: host, mark: crashMark(record, [host, ...crashLines(record)]) };
  });
  const { names, ...lanes } = lanesOf(items, NATURAL.compare);
  return {
    title: TEXT.hosts,
    ...lanes,
    bands: [],
    references: [],
    legend: crashLegend(reports),
    summary: TEXT.hostsSummary(reports.length, names.length),
  };
}

/**
 * Crashes over time, in a lane for each place in the program: the same place again and again points to a fault, many places to an attack. The picture of
 * rules without one of their own; events that are no crashes have the lane of their type.
 */
export function placesPicture({ evidence }: Evidence): PictureModel | undefined {
  const events = oldestFirst(evidence);
  const reports = firstReports(events);
  const shown = reports.length > 0 ? reports : events;
  if (shown.length === 0) return undefined;
  const items = shown.map(
    (record): LaneItem => ({
      lane: placeText(record) ?? typeText(record.event.event.type),
      mark: crashMark(record),
    }),
  );
  const { names, ...lanes } = lanesOf(items);
  return {
    title: reports.length > 0 ? TEXT.places : TEXT.events,
    ...lanes,
    bands: [],
    references: [],
    legend: crashLegend(shown),
    summary: TEXT.placesSummary(shown.length, names.length),
  };
}

/** Changed settings over time, in a lane for each setting. */
export function settingsPicture({ evidence }: Evidence): PictureModel | undefined {
  const changes = oldestFirst(evidence).filter(({ event: { event } }) => event.type === 'ConfigMismatch');
  if (changes.length === 0) return undefined;
  const items = changes.map((record): LaneItem => {
    const { key } = record.event.event;
    const name = typeof key === 'string' ? visible(key) : TEXT.unnamedSetting;
    return { lane: name, mark: { ...crashMark(record, [name, visible(eventText(record))]), shape: 'dot' } };
  });
  const { names, ...lanes } = lanesOf(items);
  return {
    title: TEXT.settings,
    ...lanes,
    bands: [],
    references: [],
    legend: [{ symbol: 'dot', text: TEXT.settingLegend }],
    summary: TEXT.settingsSummary(changes.length, names.length),
  };
}
