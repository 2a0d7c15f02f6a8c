import { z } from 'zod';
import { riskSchema } from '../detection.ts';

const count = (what: string) => z.int().describe(what);
const counted = {
  detections: count('How many detections'),
  open: count('Those neither closed nor silenced by an exception'),
};

/** The result of GET /api/detections/summary in addition to its range. */
export const summaryShape = {
  detections: count('All that the filters choose'),
  open: count('Neither closed nor silenced by an exception'),
  silenced: count('Silenced by an exception'),
  series: z
    .array(
      z.object({
        at: z.iso.datetime().describe('Beginning of the bucket'),
        bySeverity: z.record(z.string(), z.int()).describe('Detections by severity; those without any are left out'),
      }),
    )
    .describe('One for every bucket, by latest evidence'),
  rules: z.array(z.object({ rule: z.string(), ...counted })).describe('Most frequent first'),
  severities: z.array(z.object({ severity: z.string(), ...counted })).describe('Most frequent first'),
  statuses: z.array(z.object({ status: z.string(), ...counted })).describe('Most frequent first'),
  verdicts: z.array(z.object({ verdict: z.string().nullable(), ...counted })).describe('Most frequent first'),
  hosts: z.array(z.object({ hostname: z.string().nullable(), ...counted })).describe('The 50 with the most'),
  programs: z.array(z.object({ procname: z.string().nullable(), ...counted })).describe('The 50 with the most'),
};

const activity = {
  hostname: z.string().nullable().describe('null: events that name none'),
  firstSeen: z.string().describe('Time of the first event, RFC 3339'),
  lastSeen: z.string().describe('Time of the latest event, RFC 3339'),
  events: count('Events'),
  crashes: count(
    'Crashes: a trap line and the dump of the same process within 2 s count once; signals sent by another process are no crashes',
  ),
  detections: count('Detections of all times'),
  openDetections: count('Those neither closed nor silenced by an exception'),
  risk: riskSchema.describe('At `to`, or now. Detections that are silenced, false positives or benign do not count'),
};
const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    limit: z.int().describe('As asked for'),
    nextCursor: z.string().nullable().describe('null on the last page'),
  });

export const hostsPageSchema = pageOf(
  z.object({ ...activity, programs: count('Programs that crashed there; above 60,000 about that many') }),
);
export const processesPageSchema = pageOf(z.object({ ...activity, procname: z.string() }));
