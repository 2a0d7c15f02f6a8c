import type { OutputMessage } from './port.ts';

export const CAUSE_TITLES: Readonly<Record<OutputMessage['cause'], string>> = {
  opened: 'New detection',
  grown: 'Detection continues',
  closed: 'Detection closed',
  test: 'Test message, not an attack',
};

/** Returns a one-line title: severity, cause, rule and host. At most `maxLength` characters. */
export function messageTitle({ cause, detection }: OutputMessage, maxLength: number): string {
  const host = detection.hostname === null ? '' : ` on ${detection.hostname}`;
  const title = `[${detection.severity.toUpperCase()}] ${CAUSE_TITLES[cause]}: ${detection.rule.name}${host}`;
  return shortened(plainText(title), maxLength);
}

/** Returns the main facts as names with values. */
export function messageFacts({ cause, detection }: OutputMessage): readonly (readonly [name: string, value: string])[] {
  const { hostname, procname, file, crashes, firstSeen, lastSeen, verdict, id, revision, attack } = detection;
  const facts: readonly (readonly [string, string])[] = [
    ['Host', hostname ?? 'unknown'],
    ['Program', procname ?? file ?? 'unknown'],
    ['Crashes', String(crashes)],
    ['First seen', firstSeen],
    ['Last seen', lastSeen],
    ['ATT&CK', attack.map(({ technique }) => technique).join(', ') || 'none'],
    ...(cause === 'closed' ? ([['Verdict', verdict?.replaceAll('_', ' ') ?? 'none']] as const) : []),
    ['Detection', `${id}, revision ${revision}`],
  ];
  return facts.map(([name, value]) => [name, shortened(plainText(value), 300)] as const);
}

/** Removes control characters and characters that change the text direction, because attackers choose names. */
export function plainText(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').toWellFormed();
}

/** Shortens a text to `maxLength` UTF-16 code units, with an ellipsis for the omitted part. */
export function shortened(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength - 1).toWellFormed()}…`;
}

/** Returns the whole message as lines of text. */
export function messageLines(message: OutputMessage): string {
  const facts = messageFacts(message).map(([name, value]) => `${name}: ${value}`);
  return [shortened(plainText(message.detection.message), 2_000), '', ...facts].join('\n');
}
