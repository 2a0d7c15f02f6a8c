import * as place from '../state/crash-points.ts';

const PAGE = 4_096;
/** From the probed address the program runs on for a few instructions. */
const REACH = 16;

/** What places in pages are judged by: thresholds of the rule for instruction pointers. */
export interface PageThresholds {
  readonly window: number;
  readonly minPages: number;
}

/**
 * The indexes of the places of a mapping that lie on at least `minPages` pages at nearly the same offset in the page as the place at `index`. Undefined when there
 * are fewer.
 *
 * Address randomisation moves a mapping by whole pages. An attacker who replaces the lowest bytes of an address chooses the offset in the page, and meets
 * another page in each execution; one who searches a layout page by page does the same. Faults of a program lie at any offset: of 60 faults, eight
 * on as many pages within 33 bytes of a page are met in one of 170,000 programs.
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
    // Across the end of a page too.
    const apart = (offset - own + REACH + PAGE) % PAGE;
    if (apart > 2 * REACH || !place.isInWindow(points, i, t, window)) continue;
    found.push(i);
    pages.add(Math.floor((offset + REACH - own) / PAGE));
  }
  return pages.size >= minPages ? found : undefined;
}
