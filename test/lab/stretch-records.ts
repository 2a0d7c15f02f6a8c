const RECORD = /^(\d+,\d+,)(\d+)(,.*)$/;
/** Lines of one report follow each other faster than this. */
const MAX_WITHIN_REPORT_US = 1000;

/** The same records of /dev/kmsg as if the time between crashes had been so many times longer. */
export function stretchRecords(records: readonly string[], factor: number): string[] {
  let before: number | undefined;
  let stretched = 0;
  return records.map((record) => {
    const [, head, time, rest] = RECORD.exec(record) ?? [];
    if (head === undefined || time === undefined || rest === undefined) return record;
    const gap = Number(time) - (before ?? 0);
    stretched += before === undefined || gap <= MAX_WITHIN_REPORT_US ? gap : Math.round(gap * factor);
    before = Number(time);
    return `${head}${stretched}${rest}`;
  });
}
