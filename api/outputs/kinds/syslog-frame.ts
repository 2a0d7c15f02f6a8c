import { cef } from '#analytics/formats/cef.ts';
import type { Severity } from '#schemas/detection.ts';
import { messageJson } from '../message-json.ts';
import type { OutputMessage } from '../port.ts';

export interface SyslogFrameConfig {
  readonly format: 'cef' | 'json';
  /** 0 to 23, RFC 5424, table 1. */
  readonly facility: number;
  /** The reporting host, not the attacked one. */
  readonly hostname: string;
}

/** RFC 5424, table 2: from critical (2) to informational (6); 0 and 1 demand immediate action. */
const SEVERITY: Readonly<Record<Severity, number>> = { critical: 2, high: 3, medium: 4, low: 5, info: 6 };

/**
 * A message of RFC 5424 behind its length in bytes (octet counting, RFC 6587 and 5425), so that nothing in it can end it. Its structured data
 * names detection, revision and cause under 32473, the number that RFC 5612 keeps for those who have none. The text has no byte order mark: many readers
 * of CEF and JSON take it for part of the text, and the standard permits any bytes then.
 */
export function syslogFrame(message: OutputMessage, { format, facility, hostname }: SyslogFrameConfig): Buffer {
  const { detection, cause, at } = message;
  const priority = facility * 8 + SEVERITY[detection.severity];
  const head = [
    `<${priority}>1`,
    at.toISOString(),
    headerField(hostname, 255),
    'trapline',
    '-',
    `detection.${cause}`,
    `[detection@32473 id="${detection.id}" revision="${detection.revision}" cause="${cause}"]`,
  ].join(' ');
  const text = format === 'json' ? messageJson(message) : cefText(message);
  const body = Buffer.from(`${head} ${text}`);
  return Buffer.concat([Buffer.from(`${body.length} `), body]);
}

/** CEF has the status, but not what has just happened; `cat` is its field for that. */
function cefText({ detection, cause }: OutputMessage): string {
  return `${cef.detection?.(detection) ?? ''} cat=detection.${cause}`;
}

/** Printable ASCII without blanks; `-` for nothing. */
function headerField(text: string, most: number): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, most) || '-';
}
