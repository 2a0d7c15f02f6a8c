import * as place from '../state/crash-points.ts';

const PAGE = 4_096;
/** Bytes that the program may run on from the probed address. */
const REACH = 16;

/** Thresholds of the rule for instruction pointers, for places in pages. */
export interface PageThresholds {
  readonly window: number;
  readonly minPages: number;
}

/**
 * Returns the places of a mapping with nearly the same page offset as the place at `index`, as indexes. They lie on at
 * least `minPages` pages. Undefined if there are fewer.
 *
 * Address randomisation moves a mapping by whole pages. An attacker who overwrites the lowest bytes of an address
 * chooses the page offset, and hits another page in each execution. A page-by-page search of a layout does the same.
 * Ordinary faults lie at any offset: with 60 faults, one program in 170,000 has eight on different pages within 33
 * bytes of a page.
 */
export function findSameInPages(
  points: readonly number[],
  index: number,
  t: number,
  { window, minPages }: PageThresholds,
): readonly number[] | undefined {
  if (points.length < minPages * place.STRIDE) return undefined;
  const space = points[index * place.STRIDE + place.SPACE] as number;
  if (space <= 0) return undefined;
  const own = (points[index * place.STRIDE + place.OFFSET] as number) % PAGE;
  const found: number[] = [];
  const pages = new Set<number>();
  for (let i = 0; i * place.STRIDE < points.length; i += 1) {
    const at = i * place.STRIDE;
    if (points[at + place.SPACE] !== space) continue;
    const offset = points[at + place.OFFSET] as number;
    // Wraps around the end of a page.
    const apart = (offset - own + REACH + PAGE) % PAGE;
    if (apart > 2 * REACH || !place.isInWindow(points, i, t, window)) continue;
    found.push(i);
    pages.add(Math.floor((offset + REACH - own) / PAGE));
  }
  return pages.size >= minPages ? found : undefined;
}
