import { z } from 'zod';
import { SEVERITIES } from '../detection.ts';
import { DETECTION_GROUPINGS } from './detection-sort.ts';

/** The result of GET /api/detections/groups. */
export const detectionGroupsSchema = z.object({
  by: z.enum(DETECTION_GROUPINGS).describe('The requested limit'),
  data: z
    .array(
      z.object({
        value: z.string().nullable().describe('Common value of the detections of the group; null: they have none'),
        name: z.string().nullable().describe('Name of the rule, or program of the campaign; null: unknown'),
        detections: z.int().describe('Number of detections of the group'),
        open: z.int().describe('Number of detections that are neither closed nor silenced by an exception'),
        worstSeverity: z.enum(SEVERITIES).describe('Highest severity of the group'),
        crashes: z.int().describe('Number of logged crashes of all detections'),
        hosts: z.int().describe('Number of distinct hosts'),
        firstSeen: z.string().describe('Time of the earliest evidence, RFC 3339'),
        lastSeen: z.string().describe('Time of the latest evidence, RFC 3339'),
      }),
    )
    .describe('By severity, then by number of open detections, then by number of all detections, highest first'),
  groups: z.int().describe('Number of all groups, including those beyond the limit'),
  detections: z.int().describe('Number of detections that match the filters'),
});

/** The result of GET /api/detections/count. */
export const detectionCountSchema = z.object({
  detections: z.int().describe('Number of detections that match the filters'),
  asOf: z.iso.datetime().describe('Time of the count. Pass it to a bulk change to change the same detections'),
});
