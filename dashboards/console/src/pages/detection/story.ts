import { visible } from '../../parts/visible.ts';
import type { Detection } from './detection-types.ts';
import { extentOf } from './extent.ts';
import { hex } from './pointer-view.ts';

/** What happened, in sentences. */
export function storyOf(detection: Omit<Detection, 'event'>): string[] {
  const { message, firstSeen, lastSeen, crashes, suppressedAtLeast, values, valuesTotal, exception } = detection;
  const lasted = (Date.parse(lastSeen) - Date.parse(firstSeen)) / 1_000;
  return [
    visible(message),
    lasted === 0
      ? 'All of it happened at one instant.'
      : `It lasted ${durationText(lasted)}${rateText(crashes + suppressedAtLeast, lasted)}.`,
    ...(suppressedAtLeast > 0
      ? [`Of the crashes ${crashes} were logged; the kernel says that it left out at least ${suppressedAtLeast} more.`]
      : []),
    ...extentText(values, valuesTotal),
    ...(exception === null ? [] : ['An exception silences it: it is kept, but not announced.']),
  ];
}

function rateText(crashes: number, seconds: number): string {
  return crashes < 2 || seconds < 1 ? '' : `, with ${(crashes / seconds).toPrecision(2)} crashes a second on average`;
}

function extentText(values: readonly string[], total: number): string[] {
  const numbers = values.filter((value) => /^0x[0-9a-f]{1,16}$/i.test(value)).map((value) => BigInt(value));
  const extent = extentOf(numbers);
  if (extent === undefined || numbers.length < 2) return [];
  const { low, high } = extent;
  const kept = total > values.length ? ` (of the ${values.length} that are kept, of ${total})` : '';
  return [
    `The values lie between ${hex(low)} and ${hex(high)}, ${high - low === 1n ? '1 byte' : `${high - low} bytes`} apart${kept}.`,
  ];
}

export function durationText(seconds: number): string {
  if (seconds < 60) return `${Number(seconds.toPrecision(2))} s`;
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3_600)} h ${Math.round((seconds % 3_600) / 60)} min`;
  return `${Math.floor(seconds / 86_400)} d ${Math.round((seconds % 86_400) / 3_600)} h`;
}
