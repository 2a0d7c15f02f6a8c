import { allowList, DAYS, networks, origins, text, truth, wholeNumber } from '../values.ts';

/** Proxies, outbound requests, the SIEM file, cases, outputs and the log of requests. */
export const platformSettings = {
  ALLOWED_ORIGIN: origins
    .optional()
    .describe('origins of browser pages that may open the live feed and call /mcp, joined by commas'),
  TRUSTED_PROXIES: networks
    .default([])
    .describe('addresses or networks of proxies whose header X-Forwarded-For is trusted, joined by commas'),
  OUTBOUND_ALLOW: allowList
    .default([])
    .describe('private networks, or host:port, that requests may be sent to, joined by commas'),
  SIEM_AUDIT_PATH: text
    .refine((path) => path.startsWith('/'), 'must be an absolute path')
    .optional()
    .describe('file that audit, request and security records are appended to, NDJSON'),
  TRAPLINE_CAMPAIGN_CASES: truth
    .default(true)
    .describe('open a case for each campaign of the fleet rule, unless it is closed or silenced'),
  TRAPLINE_OUTPUT_DIR: text
    .refine((path) => path.startsWith('/'), 'must be an absolute path')
    .optional()
    .describe('folder in which outputs may write files, the same for all processes; not set: outputs write no files'),
  TRAPLINE_RETENTION_DAYS_API_LOG: wholeNumber(DAYS)
    .default(30)
    .describe('days for which records of API requests are kept'),
};
