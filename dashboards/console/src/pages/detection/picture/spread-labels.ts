/** A label of a position on a horizontal axis. */
export interface Label {
  readonly text: string;
  /** Its position and its measured width, px. */
  readonly center: number;
  readonly width: number;
}
export interface PlacedLabel extends Label {
  readonly left: number;
  /** Row, from 0. */
  readonly row: number;
}

/** Minimum distance of two labels, px. */
const GAP_PX = 8;

/**
 * Places labels as close to their centers as possible between `left` and `right`, in up to `rows` rows, without
 * overlap. Omits labels without space, so their content must also be shown elsewhere.
 */
export function spreadLabels(
  labels: readonly Label[],
  { left, right, rows }: { readonly left: number; readonly right: number; readonly rows: number },
): PlacedLabel[] {
  const ends = new Array<number>(rows).fill(Number.NEGATIVE_INFINITY);
  return labels
    .toSorted((a, b) => a.center - b.center)
    .flatMap((label) => {
      const wanted = Math.min(Math.max(label.center - label.width / 2, left), right - label.width);
      const row = ends.findIndex((end) => wanted >= end + GAP_PX);
      if (row < 0 || label.width > right - left) return [];
      ends[row] = wanted + label.width;
      return [{ ...label, left: wanted, row }];
    });
}
