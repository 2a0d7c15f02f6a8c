import { visible } from '../../../parts/visible.ts';
import { eventText, typeText } from '../../events/event-columns.tsx';
import type { EventRecord } from '../detection-types.ts';

export function secondsOf({ time }: EventRecord): number {
  return Date.parse(time) / 1_000;
}

/**
 * Returns the events, oldest first. Compares times as strings: they have the same length and zone, and more digits than
 * a number can represent.
 */
export function oldestFirst(evidence: readonly EventRecord[]): EventRecord[] {
  return evidence.toSorted((a, b) => (a.time < b.time ? -1 : Number(a.time > b.time)));
}

/** Returns the place of a crash: `nginx+0x1f0`, or the address if the file is unknown. */
export function placeText({ hex, event: { event } }: EventRecord): string | undefined {
  const { file } = event;
  if (hex.ip === undefined) return undefined;
  if (typeof file !== 'string' || hex.vmastart === undefined) return hex.ip;
  const offset = BigInt(hex.ip) - BigInt(hex.vmastart);
  return offset < 0n ? hex.ip : `${visible(file)}+0x${offset.toString(16)}`;
}

/** Returns the tooltip lines of a crash: address, place, kind. */
export function crashLines(record: EventRecord): string[] {
  const place = placeText(record);
  const { ip } = record.hex;
  return [
    ...(ip === undefined ? [] : [ip]),
    ...(place === undefined || place === ip ? [] : [place]),
    visible(`${typeText(record.event.event.type)}: ${eventText(record)}`),
  ];
}
