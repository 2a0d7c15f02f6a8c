import { z } from 'zod';

const address = z.string().optional().describe('Hexadecimal, 0x…; absent where the event has none');

/**
 * An event in lists and in GET /api/events/{id}: its record identity, its addresses as text, and the original V1 event.
 */
export const eventRecordSchema = z.object({
  id: z.string().describe('topic~partition~offset'),
  topic: z.string(),
  partition: z.int(),
  offset: z.int(),
  received: z.string().describe('Time at which the service ingested the event, RFC 3339'),
  time: z.string().describe('Time of the event, RFC 3339 in UTC'),
  hex: z
    .object({ ip: address, sp: address, location: address, vmastart: address })
    .describe('Addresses as text: browsers round JSON integers above 2^53'),
  event: z
    .looseObject({
      version: z.string(),
      timestamp: z.string(),
      hostname: z.string().nullable().optional(),
      event: z.looseObject({ type: z.string() }),
    })
    .describe('The V1 event as received, with all digits and unknown fields'),
});
export type EventRecordJson = z.infer<typeof eventRecordSchema>;

const events = z.int().describe('Number of events');

/** The result of GET /api/events/summary in addition to its range. */
export const eventSummaryShape = {
  events: z.int().describe('Number of events that match the filters'),
  crashes: z
    .int()
    .nullable()
    .describe('Number of distinct crashes, counted as detections count them; null without the filter `detection`'),
  series: z
    .array(
      z.object({
        at: z.iso.datetime().describe('Start of the bucket'),
        byType: z
          .record(z.string(), z.int())
          .describe('Number of events for each type; types without events are omitted'),
      }),
    )
    .describe('One entry for each bucket'),
  types: z.array(z.object({ type: z.string(), events })).describe('Most frequent first'),
  hosts: z.array(z.object({ hostname: z.string().nullable(), events })).describe('The 50 most frequent'),
  programs: z.array(z.object({ procname: z.string().nullable(), events })).describe('The 50 most frequent'),
  files: z.array(z.object({ file: z.string().nullable(), events })).describe('The 50 most frequent'),
};
