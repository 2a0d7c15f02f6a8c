const RECORD = /^(\d+,\d+,)(\d+)(,.*)$/;
/** Maximum time between lines of one report, in microseconds. */
const MAX_WITHIN_REPORT_US = 1000;

/** Returns the records of /dev/kmsg with the time between crashes multiplied by `factor`. */
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
