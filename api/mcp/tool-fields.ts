import { z } from 'zod';
import { DETECTION_STATUSES, SEVERITIES } from '#schemas/detection.ts';

const MAX_PAGE = 100;
const instant = z.string().max(64);
const name = z.string().min(1).max(4_096);

/** Time range of the records, for the filters of the API. */
export const timeFields = {
  from: instant.optional().describe('From this instant on, RFC 3339, such as 2026-03-01T12:00:00Z'),
  to: instant.optional().describe('Before this instant, RFC 3339'),
} as const;

/** Exact values by which events and detections are filtered. */
export const subjectFields = {
  hostname: name.optional().describe('Exactly this host'),
  procname: name.optional().describe('Exactly this program'),
  file: name.optional().describe('Exactly this mapped file'),
  executable: name.optional().describe('Exactly this executable'),
} as const;

export const detectionFields = {
  rule: z.string().max(128).optional().describe('Only of this rule, by id'),
  severity: z.enum(SEVERITIES).optional().describe('Only of this severity'),
  status: z.enum(DETECTION_STATUSES).optional().describe('Only in this state'),
} as const;

/** Search expression of a list. `fields`: examples of fields of this list. */
export const searchField = (fields: string) =>
  z
    .string()
    .min(1)
    .max(1_000)
    .optional()
    .describe(
      `Search: words, "quoted text", FIELD:VALUE, FIELD>=VALUE, * and ?, and, or, not. Fields such as ${fields}`,
    );

/** Page of a list with cursors. */
export const pageFields = {
  limit: z.int().min(1).max(MAX_PAGE).default(20).describe('Records of a page, at most 100'),
  cursor: z.string().max(4_096).optional().describe('`nextCursor` of the page before'),
} as const;

/** Page of a list with offsets. */
export const offsetFields = {
  limit: z.int().min(1).max(MAX_PAGE).default(20).describe('Records of a page, at most 100'),
  offset: z.int().min(0).max(1_000_000).default(0).describe('Number of records to skip'),
} as const;

/**
 * An identifier as a path segment. `.` and `..` are rejected, because they would change the path even if they are
 * percent-encoded.
 */
export const idField = (what: string) =>
  z
    .string()
    .min(1)
    .max(512)
    .refine((id) => id !== '.' && id !== '..', 'is not an id')
    .describe(`Id of ${what}`);

/** Returns a path of the API; `parts` are percent-encoded. */
export function apiPath(template: readonly string[], ...parts: readonly string[]): string {
  return template.map((text, at) => text + encodeURIComponent(parts[at] ?? '')).join('');
}
