import type { Mark } from './picture-model.ts';

const RADIUS = 3.2;
/** Radius for many points, which would otherwise overlap. */
export const SMALL_RADIUS = 1.8;
const TICK_PX = 10;

/** Returns a mark as a part of an SVG path. `floor`: position of the value 0, px. */
export function markPath(shape: Mark['shape'], x: number, y: number, floor: number, radius = RADIUS): string {
  const at = (value: number) => Number(value.toFixed(2));
  if (shape === 'tick') return `M${at(x)} ${at(floor)}v${-TICK_PX}`;
  const circle = `M${at(x - radius)} ${at(y)}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0`;
  return shape === 'stem' ? `M${at(x)} ${at(floor)}V${at(y)}${circle}` : circle;
}
