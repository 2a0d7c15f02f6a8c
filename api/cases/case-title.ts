import { terminalText } from '#analytics/formats/terminal-text.ts';

/** Maximum length of the title of a case. */
const MAX_TITLE = 200;

/**
 * Returns a title from names of hosts and programs, which attackers choose. Control characters, some of which
 * PostgreSQL rejects, are written as `\x00`. Long titles are cut.
 */
export function caseTitle(text: string): string {
  return terminalText(text).slice(0, MAX_TITLE).toWellFormed();
}

/** Returns the title of a detection, and of a case that begins with it: the rule, the program and the host. */
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
