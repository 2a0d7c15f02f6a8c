import type { RequestRecord } from '#api/http/request-record.ts';
import { SECURITY_EVENTS } from '#api/http/security-events.ts';
import type { Detection } from '#schemas/detection.ts';
import type { SecurityIncident } from '../siem/port.ts';

/** What administrators see live. `at` is RFC 3339. */
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
  /** So many messages did not fit: the reader, or what lies between, is too slow. */
  | { readonly type: 'dropped'; readonly at: string; readonly count: number };

/** A request that was answered. */
export function requestMessage({ timeMs, userAgent: _, ...record }: RequestRecord): FeedMessage {
  return { type: 'request', at: new Date(timeMs).toISOString(), ...record };
}

/** Abuse by one address; the same `id` again when it grew. */
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

/** A detection that is new or grew; all of it is at `/api/detections/{id}`. */
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
