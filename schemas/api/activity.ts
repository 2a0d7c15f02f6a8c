import { z } from 'zod';
import { riskSchema } from '../detection.ts';

const count = (what: string) => z.int().describe(what);
const counted = {
  detections: count('Number of detections'),
  open: count('Number of detections that are neither closed nor silenced by an exception'),
};

/** The result of GET /api/detections/summary in addition to its range. */
export const summaryShape = {
  detections: count('Number of detections that match the filters'),
  open: count('Number of detections that are neither closed nor silenced by an exception'),
  silenced: count('Number of detections that are silenced by an exception'),
  series: z
    .array(
      z.object({
        at: z.iso.datetime().describe('Start of the bucket'),
        bySeverity: z
          .record(z.string(), z.int())
          .describe('Number of detections for each severity; severities without detections are omitted'),
      }),
    )
    .describe('One entry for each bucket, by time of the latest evidence'),
  rules: z.array(z.object({ rule: z.string(), ...counted })).describe('Most frequent first'),
  severities: z.array(z.object({ severity: z.string(), ...counted })).describe('Most frequent first'),
  statuses: z.array(z.object({ status: z.string(), ...counted })).describe('Most frequent first'),
  verdicts: z.array(z.object({ verdict: z.string().nullable(), ...counted })).describe('Most frequent first'),
  hosts: z.array(z.object({ hostname: z.string().nullable(), ...counted })).describe('The 50 most frequent'),
  programs: z.array(z.object({ procname: z.string().nullable(), ...counted })).describe('The 50 most frequent'),
};

const activity = {
  hostname: z.string().nullable().describe('null: events without a host name'),
  firstSeen: z.string().describe('Time of the first event, RFC 3339'),
  lastSeen: z.string().describe('Time of the latest event, RFC 3339'),
  events: count('Events'),
  crashes: count(
    'Number of crashes. A trap line and the register dump of the same process within 2 s count once. Signals from another process are not crashes',
  ),
  detections: count('Number of detections, at any time'),
  openDetections: count('Number of detections that are neither closed nor silenced by an exception'),
  risk: riskSchema.describe('Risk score at `to`, or now. Silenced, false-positive and benign detections do not count'),
};
const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({
    data: z.array(item),
    limit: z.int().describe('The requested page size'),
    nextCursor: z.string().nullable().describe('null on the last page'),
  });

export const hostsPageSchema = pageOf(
  z.object({ ...activity, programs: count('Number of programs that crashed on the host; approximate above 60,000') }),
);
export const processesPageSchema = pageOf(z.object({ ...activity, procname: z.string() }));
