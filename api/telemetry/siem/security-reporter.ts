import { Counter, type Registry } from 'prom-client';
import { addressGroup } from '#api/http/limits/address-group.ts';
import type { ReportSecurityEvent, SecurityEvent } from '#api/http/security-events.ts';
import type { SecurityIncident } from './port.ts';
import { createSecurityDetectors, type DetectorConfig } from './security-detectors.ts';

export interface SecurityReporter {
  readonly report: ReportSecurityEvent;
  /** Reports what is still open. */
  close(): void;
}

export interface SecurityReporterDeps {
  readonly registry: Registry;
  /** Receives every incident when it begins, and one that grew when it is over. Must not throw. */
  readonly onIncident: (incident: SecurityIncident) => void;
}

const SETTLE_EVERY_MS = 1_000;
/** Beyond the end of every incident. */
const END_OF_TIME = Number.MAX_SAFE_INTEGER;

/** Where everything that notices abuse reports it. Each process judges by what it saw itself. */
export function createSecurityReporter(
  { registry, onIncident }: SecurityReporterDeps,
  config: Omit<DetectorConfig, 'addressGroup'> = {},
): SecurityReporter {
  const signs = new Counter({
    name: 'trapline_security_signs_total',
    help: 'Signs of abuse, each by itself.',
    labelNames: ['kind'],
    registers: [registry],
  });
  const incidents = new Counter({
    name: 'trapline_security_events_total',
    help: 'Incidents: signs of abuse that reached the threshold, each incident once.',
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

  /** Runs while an incident is open, so that a process without attacks sleeps. */
  function settle(): void {
    for (const incident of detectors.settle(Date.now())) onIncident(incident);
    if (detectors.open() > 0) return;
    clearInterval(timer);
    timer = undefined;
  }
}
