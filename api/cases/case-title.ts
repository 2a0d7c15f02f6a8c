import { terminalText } from '#analytics/formats/terminal-text.ts';

/** Characters of the title of a case at most. */
const MAX_TITLE = 200;

/**
 * A title made of names of hosts and programs, which attackers choose: control characters, which PostgreSQL refuses in part, are shown as `\x00`,
 * and what is too long is cut.
 */
export function caseTitle(text: string): string {
  return terminalText(text).slice(0, MAX_TITLE).toWellFormed();
}

/** Title of a detection, and of a case that begins with it: the rule, the program and the host. */
export function titleOfDetection({
  rule,
  hostname,
  procname,
}: {
  readonly rule: { readonly name: string };
  readonly hostname: string | null;
  readonly procname: string | null;
}): string {
  const program = procname === null ? '' : `: ${procname}`;
  const host = hostname === null ? '' : ` on ${hostname}`;
  return caseTitle(`${rule.name}${program}${host}`);
}
