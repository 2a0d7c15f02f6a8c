import { Counter, type Registry } from 'prom-client';
import { addressGroup } from '#api/http/limits/address-group.ts';
import type { ReportSecurityEvent, SecurityEvent } from '#api/http/security-events.ts';
import type { SecurityIncident } from './port.ts';
import { createSecurityDetectors, type DetectorConfig } from './security-detectors.ts';

export interface SecurityReporter {
  readonly report: ReportSecurityEvent;
  /** Reports the incidents that are still open. */
  close(): void;
}

export interface SecurityReporterDeps {
  readonly registry: Registry;
  /** Receives every incident when it begins, and one that grew when it ends. Must not throw. */
  readonly onIncident: (incident: SecurityIncident) => void;
}

const SETTLE_EVERY_MS = 1_000;
/** Later than the end of every incident. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/** Creates the receiver of all abuse signals. Each process evaluates only its own signals. */
export function createSecurityReporter(
  { registry, onIncident }: SecurityReporterDeps,
  config: Omit<DetectorConfig, 'addressGroup'> = {},
): SecurityReporter {
  const signs = new Counter({
    name: 'trapline_security_signs_total',
    help: 'Abuse signals, before their aggregation into incidents.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const incidents = new Counter({
    name: 'trapline_security_events_total',
    help: 'Incidents: abuse signals that reached the threshold, each incident once.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const detectors = createSecurityDetectors({ ...config, addressGroup });
  let timer: NodeJS.Timeout | undefined;

  return {
    report(event: SecurityEvent) {
      signs.inc({ kind: event.kind });
      for (const incident of detectors.notice(event, Date.now())) {
        incidents.inc({ kind: incident.kind });
        onIncident(incident);
      }
      if (detectors.open() > 0) timer ??= setInterval(settle, SETTLE_EVERY_MS).unref();
    },
    close() {
      clearInterval(timer);
      timer = undefined;
      for (const incident of detectors.settle(END_OF_TIME)) onIncident(incident);
    },
  };

  /** Runs only while an incident is open, so that a process without attacks has no timer. */
  function settle(): void {
    for (const incident of detectors.settle(Date.now())) onIncident(incident);
    if (detectors.open() > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}
