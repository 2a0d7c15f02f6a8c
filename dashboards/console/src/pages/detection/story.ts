import { numberText } from '../../language/numbers.ts';
import { visible } from '../../parts/visible.ts';
import type { Detection } from './detection-types.ts';
import { extentOf } from './extent.ts';
import { hex } from './pointer-view.ts';
import { DETECTION_TEXT } from './text.ts';

const TEXT = DETECTION_TEXT.story;

/** Returns the summary of a detection, as sentences. */
export function storyOf(detection: Omit<Detection, 'event'>): string[] {
  const { rule, message, firstSeen, lastSeen, crashes, suppressedAtLeast, values, valuesTotal, hostsTotal, exception } =
    detection;
  const seconds = (Date.parse(lastSeen) - Date.parse(firstSeen)) / 1_000;
  return [
    visible(TEXT.message(rule.id, message)),
    seconds === 0 ? TEXT.instant : durationSentence(seconds, crashes + suppressedAtLeast),
    ...(suppressedAtLeast > 0 ? [TEXT.unlogged(crashes, suppressedAtLeast)] : []),
    ...addressSentence(values, valuesTotal, hostsTotal > 0),
    ...(exception === null ? [] : [TEXT.silenced]),
  ];
}

function durationSentence(seconds: number, crashes: number): string {
  return crashes < 2 || seconds < 1
    ? TEXT.duration(durationText(seconds))
    : TEXT.durationAndRate(durationText(seconds), numberText(Number((crashes / seconds).toPrecision(2))));
}

function addressSentence(values: readonly string[], total: number, areOffsets: boolean): string[] {
  const addresses = values.filter((value) => /^0x[0-9a-f]{1,16}$/i.test(value)).map((value) => BigInt(value));
  const extent = extentOf(addresses);
  if (extent === undefined || addresses.length < 2) return [];
  const { low, high } = extent;
  return [TEXT.addresses(hex(low), hex(high), high - low, { stored: values.length, of: total }, areOffsets)];
}

export function durationText(seconds: number): string {
  if (seconds < 60) return `${numberText(Number(seconds.toPrecision(2)))} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.round((seconds % 86_400) / 3_600)} h`;
}
