import { readFileSync } from 'node:fs';
import { z } from 'zod';

const day = z.iso.date();

/** Reviewed decisions: allowed licences, and accepted findings. */
const policySchema = z.strictObject({
  advisories: z.array(
    z.strictObject({
      id: z.string(),
      package: z.string(),
      reason: z.string().min(20),
      /** Last day on which the decision applies; it must be reviewed after that. */
      expires: day,
    }),
  ),
  licences: z.strictObject({
    /** SPDX identifiers. */
    allowed: z.array(z.string()),
    exceptions: z.array(
      z.strictObject({
        package: z.string(),
        /** Licence as declared in package.json; null if absent. The exception applies only to exactly this text. */
        declared: z.string().nullable(),
        licence: z.string(),
        reason: z.string().min(20),
      }),
    ),
    /** Direct dependencies of the Python client and their licences. */
    python: z.record(z.string(), z.string()),
  }),
});
export type Policy = z.infer<typeof policySchema>;

const advisoryListSchema = z.strictObject({
  /** Date of the last compilation or refresh of the list. */
  updated: day,
  source: z.string(),
  advisories: z.array(
    z.strictObject({
      ids: z.array(z.string()).min(1),
      ecosystem: z.enum(['npm', 'PyPI']),
      package: z.string(),
      /** A semver range of npm. */
      vulnerable: z.string(),
      severity: z.enum(['info', 'low', 'moderate', 'high', 'critical']),
      summary: z.string(),
    }),
  ),
});
export type AdvisoryList = z.infer<typeof advisoryListSchema>;
export type Advisory = AdvisoryList['advisories'][number];

export const ADVISORIES_FILE = new URL('./advisories.json', import.meta.url);

export function readPolicy(): Policy {
  return policySchema.parse(JSON.parse(readFileSync(new URL('./policy.json', import.meta.url), 'utf8')));
}

export function readAdvisories(): AdvisoryList {
  return advisoryListSchema.parse(JSON.parse(readFileSync(ADVISORIES_FILE, 'utf8')));
}
