import type { FastifyBaseLogger } from 'fastify';
import { Counter, type Registry } from 'prom-client';
import { ecsDetection } from '#analytics/formats/ecs-detection.ts';
import type { Siem } from './port.ts';
import { auditRecord } from './records/audit-record.ts';
import type { RecordType } from './records/base.ts';
import { requestEcsRecord } from './records/request-record.ts';
import { securityRecord } from './records/security-record.ts';
import { openSiemFile, type SiemFileConfig } from './siem-file.ts';

export interface SiemDeps {
  readonly registry: Registry;
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
}

/** A SIEM that is closed at the end of the process, after its last writer. */
export interface OpenSiem extends Siem {
  close(): Promise<void>;
}

/**
 * Minimum interval of log entries about failures. A full disk rejects thousands of lines per second; the counter counts
 * each.
 */
const LOG_EVERY_MS = 60_000;

/**
 * Forwards records as ECS documents, one JSON object per line, to the file of `SIEM_AUDIT_PATH`. Without a file,
 * records are discarded. Rejects with `SiemFileNotWritable` if the file cannot be appended to.
 */
export async function openSiem({ registry, logger }: SiemDeps, config: SiemFileConfig | undefined): Promise<OpenSiem> {
  const failures = new Counter({
    name: 'trapline_siem_write_failures_total',
    help: 'Records that could not be appended to the SIEM file; the stores have them.',
    registers: [registry],
  });
  if (config === undefined) return SWALLOW;
  const records = new Counter({
    name: 'trapline_siem_records_total',
    help: 'Records handed to the SIEM file.',
    labelNames: ['type'],
    registers: [registry],
  });
  let loggedAt = Number.NEGATIVE_INFINITY;
  const file = await openSiemFile(
    {
      onFailure(error, lines) {
        failures.inc(lines);
        const now = performance.now();
        if (now - loggedAt < LOG_EVERY_MS) return;
        loggedAt = now;
        logger.error({ err: error }, 'cannot append to the SIEM file');
      },
    },
    config,
  );

  function append(type: RecordType, document: object): void {
    records.inc({ type });
    file.append(JSON.stringify(document));
  }

  return {
    audit: (entry) => append('audit', auditRecord(entry)),
    request: (record) => append('apilog', requestEcsRecord(record)),
    security: (incident) => append('security', securityRecord(incident)),
    // `event.dataset` distinguishes alerts of the detection rules from those of the abuse detectors.
    detection: (detection) => append('security', { _type: 'security', ...ecsDetection(detection) }),
    close: () => file.close(),
  };
}

const nothing = () => {};
const SWALLOW: OpenSiem = {
  audit: nothing,
  request: nothing,
  security: nothing,
  detection: nothing,
  close: async () => {},
};
