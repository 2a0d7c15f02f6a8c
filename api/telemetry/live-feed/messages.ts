import type { RequestRecord } from '#api/http/request-record.ts';
import { SECURITY_EVENTS } from '#api/http/security-events.ts';
import type { Detection } from '#schemas/detection.ts';
import type { SecurityIncident } from '../siem/port.ts';

/** Messages that administrators see live. `at` is RFC 3339. */
export type FeedMessage =
  | ({ readonly type: 'request'; readonly at: string } & Omit<RequestRecord, 'timeMs' | 'userAgent'>)
  | ({ readonly type: 'security'; readonly at: string; readonly technique: string; readonly ip: string } & Pick<
      SecurityIncident,
      'id' | 'kind' | 'actor' | 'subject' | 'count' | 'targets'
    >)
  | ({ readonly type: 'detection'; readonly at: string } & Pick<
      Detection,
      'id' | 'revision' | 'rule' | 'severity' | 'hostname' | 'procname' | 'message' | 'firstSeen' | 'lastSeen'
    >)
  | {
      readonly type: 'execution';
      readonly at: string;
      readonly id: string;
      readonly kind: string;
      readonly status: string;
    }
  /** Number of messages that were dropped, because the reader or the connection is too slow. */
  | { readonly type: 'dropped'; readonly at: string; readonly count: number };

/** Returns the message about a completed request. */
export function requestMessage({ timeMs, userAgent: _, ...record }: RequestRecord): FeedMessage {
  return { type: 'request', at: new Date(timeMs).toISOString(), ...record };
}

/** Returns the message about abuse by one address. It is repeated with the same `id` when the count grows. */
export function securityMessage(incident: SecurityIncident): FeedMessage {
  const { id, kind, origin, actor, subject, count, targets, lastAt } = incident;
  const { technique } = SECURITY_EVENTS[kind];
  return {
    type: 'security',
    at: lastAt.toISOString(),
    id,
    kind,
    technique,
    ip: origin.ip,
    actor,
    subject,
    count,
    targets,
  };
}

/** Returns the message about a new or growing detection. The full detection is at `/api/detections/{id}`. */
export function detectionMessage(detection: Detection, at: Date): FeedMessage {
  const { id, revision, rule, severity, hostname, procname, message, firstSeen, lastSeen } = detection;
  return {
    type: 'detection',
    at: at.toISOString(),
    id,
    revision,
    rule,
    severity,
    hostname,
    procname,
    message,
    firstSeen,
    lastSeen,
  };
}
