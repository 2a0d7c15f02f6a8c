const HEAD_REM = 2.25;
/** Height of a row, px. */
export const ROW_PX = 36;

/** Height of a `RecordList` that stands among others on a page: of its rows, and of `most` of them when there are more. */
export function listHeight(pages: readonly { readonly data: readonly unknown[] }[] | undefined, most = 8): string {
  const rows = (pages ?? []).reduce((sum, { data }) => sum + data.length, 0);
  return `calc(${HEAD_REM}rem + ${Math.min(Math.max(rows, 1), most) * ROW_PX}px + 4px)`;
}
