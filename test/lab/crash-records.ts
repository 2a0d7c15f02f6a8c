/**
 * First lines of crash reports in /dev/kmsg, with the name of the process: `name[pid]: …`, `traps: name[pid] …`, `name:
 * name: potentially …`, `… Comm: name …`.
 */
const BEGINNINGS = [
  /^(?:traps: )?(?<name>.+?)\[\d+\]:? (?:segfault|trap|general protection|unhandled|bad frame)/,
  /^(?<name>.+?): (?:.+: )?potentially unexpected fatal signal \d+/,
  /^CPU: \d+ .*?Comm: (?<name>.+?) (?:Kdump: loaded )?(?:Not tainted|Tainted:)/,
];
const SUPPRESSED = /^\w+: \d+ callbacks suppressed$/;
/** Lines that continue a report. */
const CONTINUED =
  /^(?: in |Code: |R[A-Z\d]{2}: |R[A-Z]P: |FS: |CR\d: |EFLAGS: |pc : |lr : |sp : |x\d+ *: |pstate: |Hardware name: )/;

/**
 * Returns the records of /dev/kmsg that report crashes of these programs, from a log in which other programs crash too.
 * Counts of suppressed messages apply to the whole host: they are kept from the first record of these programs on.
 */
export function crashRecords(records: readonly string[], isOurs: (procname: string) => boolean): string[] {
  let ours = false;
  let begun = false;
  return records.filter((record) => {
    const text = record.slice(record.indexOf(';') + 1);
    if (SUPPRESSED.test(text)) return begun;
    const name = BEGINNINGS.map((pattern) => pattern.exec(text)?.groups?.name).find((found) => found !== undefined);
    if (name !== undefined) ours = isOurs(name);
    begun ||= ours;
    return ours && (name !== undefined || CONTINUED.test(text));
  });
}
