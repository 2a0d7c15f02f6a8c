import type { CommittedAuditEntry } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { RequestRecord } from '#api/http/request-record.ts';
import type { SecurityEventKind } from '#api/http/security-events.ts';
import type { Detection } from '#schemas/detection.ts';

/** Abuse by one address. It is reported when it reaches the threshold, and again with the full count when it ends. */
export interface SecurityIncident {
  /** The same in both reports. */
  readonly id: string;
  readonly kind: SecurityEventKind;
  /** Origin of the latest signal. */
  readonly origin: RequestOrigin;
  readonly actor: string;
  readonly subject: string | undefined;
  /** Number of signals so far. */
  readonly count: number;
  /** Number of different targets so far; 0 if signals of this kind have no target. */
  readonly targets: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Receives records for a SIEM. Methods never block and never throw; records that cannot be written are counted. */
export interface Siem {
  audit(entry: CommittedAuditEntry): void;
  request(record: RequestRecord): void;
  security(incident: SecurityIncident): void;
  detection(detection: Detection): void;
}
