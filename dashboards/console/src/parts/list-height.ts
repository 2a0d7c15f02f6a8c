const HEAD_REM = 2.25;
/** Height of a row, px. */
export const ROW_PX = 36;

/** Height of a `RecordList` that stands among others on a page: of its rows, and of `most` of them when there are more. */
export function listHeight(pages: readonly { readonly data: readonly unknown[] }[] | undefined, most = 8): string {
  const rows = (pages ?? []).reduce((sum, { data }) => sum + data.length, 0);
  return `calc(${HEAD_REM}rem + ${Math.min(Math.max(rows, 1), most) * ROW_PX}px + 4px)`;
}

/** A height that depends on that of the window. */
export interface WindowHeight {
  readonly css: string;
  /** Now, px: the rows in sight are drawn before the browser has measured the list. */
  readonly px: () => number;
}

/** What is left of the window below `above`, and at least `least`; both in rem. */
export function restOfWindow(above: number, least: number): WindowHeight {
  return {
    css: `max(${least}rem, calc(100dvh - ${above}rem))`,
    px: () => {
      const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
      return Math.max(least * rem, innerHeight - above * rem);
    },
  };
}
