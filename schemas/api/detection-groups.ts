import { z } from 'zod';
import { SEVERITIES } from '../detection.ts';
import { DETECTION_GROUPINGS } from './detection-sort.ts';

/** The result of GET /api/detections/groups. */
export const detectionGroupsSchema = z.object({
  by: z.enum(DETECTION_GROUPINGS).describe('As asked for'),
  data: z
    .array(
      z.object({
        value: z.string().nullable().describe('What the detections of the group have; null: nothing'),
        name: z.string().nullable().describe('Name of the rule, or program of the campaign; null: unknown'),
        detections: z.int().describe('All of the group'),
        open: z.int().describe('Those neither closed nor silenced by an exception'),
        worstSeverity: z.enum(SEVERITIES).describe('The highest of the group'),
        crashes: z.int().describe('Logged crashes of all'),
        hosts: z.int().describe('Distinct hosts'),
        firstSeen: z.string().describe('The earliest evidence, RFC 3339'),
        lastSeen: z.string().describe('The latest evidence, RFC 3339'),
      }),
    )
    .describe('The worst first: by severity, then by open and by all detections'),
  groups: z.int().describe('All groups, also those beyond the limit'),
  detections: z.int().describe('All detections that the filters choose'),
});

/** The result of GET /api/detections/count. */
export const detectionCountSchema = z.object({
  detections: z.int().describe('All that the filters choose'),
  asOf: z.iso.datetime().describe('When they were counted, for a bulk change of the same detections'),
});
