import type { CommittedAuditEntry } from '#api/audit/port.ts';
import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { RequestRecord } from '#api/http/request-record.ts';
import type { SecurityEventKind } from '#api/http/security-events.ts';
import type { Detection } from '#schemas/detection.ts';

/** Abuse by one address: reported when it reaches the threshold, and once more with the full count when it is over. */
export interface SecurityIncident {
  /** The same for both. */
  readonly id: string;
  readonly kind: SecurityEventKind;
  /** Of the latest sign. */
  readonly origin: RequestOrigin;
  readonly actor: string;
  readonly subject: string | undefined;
  /** Signs so far. */
  readonly count: number;
  /** Different targets so far; 0 when signs of this kind name none. */
  readonly targets: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** Where records for a SIEM go. Every method returns at once and never throws; what can't be written is counted. */
export interface Siem {
  audit(entry: CommittedAuditEntry): void;
  request(record: RequestRecord): void;
  security(incident: SecurityIncident): void;
  detection(detection: Detection): void;
}
