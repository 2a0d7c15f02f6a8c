const HEAD_REM = 2.25;
/** Height of a row, px. */
export const ROW_PX = 36;

/** Returns the height of a `RecordList` next to other content on a page: that of its rows, but at most `most` rows. */
export function listHeight(pages: readonly { readonly data: readonly unknown[] }[] | undefined, most = 8): string {
  const rows = (pages ?? []).reduce((sum, { data }) => sum + data.length, 0);
  return `calc(${HEAD_REM}rem + ${Math.min(Math.max(rows, 1), most) * ROW_PX}px + 4px)`;
}

/** A height that depends on the height of the window. */
export interface WindowHeight {
  readonly css: string;
  /** Current height, px. Visible rows are rendered before the browser has measured the list. */
  readonly px: () => number;
}

/** Returns the rest of the window below `above`, but at least `least`; both in rem. */
export function restOfWindow(above: number, least: number): WindowHeight {
  return {
    css: `max(${least}rem, calc(100dvh - ${above}rem))`,
    px: () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      return Math.max(least * rem, innerHeight - above * rem);
    },
  };
}
