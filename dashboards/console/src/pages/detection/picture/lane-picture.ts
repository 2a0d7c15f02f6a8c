import { visible } from '../../../parts/visible.ts';
import { eventText, typeText } from '../../events/event-columns.tsx';
import type { DetectionWithEvidence, EventRecord } from '../detection-types.ts';
import { DETECTION_TEXT } from '../text.ts';
import { crashLines, oldestFirst, placeText, secondsOf } from './crash-text.ts';
import { firstReports } from './first-reports.ts';
import type { Mark, PictureModel } from './picture-model.ts';

const TEXT = DETECTION_TEXT.lanes;

type Evidence = Pick<DetectionWithEvidence, 'evidence'>;

/** Maximum number of lanes. Further names share the last one. */
const MAX_LANES = 20;
const NATURAL = new Intl.Collator('en', { numeric: true });

/** One item, in the lane with its name. */
export interface LaneItem {
  readonly lane: string;
  readonly mark: Omit<Mark, 'y'>;
}

/**
 * Shows items over time, one lane per name. Names beyond the limit share the last lane. `order`: of the names. Default:
 * by their first item.
 */
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

/** Shows the crashes of a campaign over time, one lane per host. */
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
 * Shows crashes over time, one lane per place in the program. Repeated crashes at one place indicate a fault, many
 * places an attack. It is the default picture of rules. Events that are no crashes have a lane per event type.
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

/** Shows changed settings over time, one lane per setting. */
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

/** Returns the function in which the kernel failed, without offset and length; undefined if the report names none. */
function functionOf({ hex, event: { event } }: EventRecord): string | undefined {
  const facts = event.kernel_fault;
  const symbol = typeof facts === 'object' && facts !== null && 'symbol' in facts ? facts.symbol : undefined;
  if (typeof symbol === 'string') return visible(symbol.replace(/\+0x.*$/, ''));
  return hex.ip === undefined || hex.ip === '0x0' ? undefined : hex.ip;
}

/** Shows kernel faults over time, one lane per function. One function indicates a bug, many indicate an attack. */
export function faultsPicture({ evidence }: Evidence): PictureModel | undefined {
  const faults = oldestFirst(evidence).filter(({ event: { event } }) => event.type === 'LinuxKernelTrap');
  if (faults.length === 0) return undefined;
  const items = faults.map((record): LaneItem => {
    const lane = functionOf(record) ?? TEXT.unnamedFunction;
    return { lane, mark: { ...crashMark(record, [lane, visible(eventText(record))]), shape: 'dot' } };
  });
  const { names, ...lanes } = lanesOf(items);
  return {
    title: TEXT.faults,
    ...lanes,
    bands: [],
    references: [],
    legend: [{ symbol: 'dot', text: TEXT.faultLegend }],
    summary: TEXT.faultsSummary(faults.length, names.length),
  };
}
