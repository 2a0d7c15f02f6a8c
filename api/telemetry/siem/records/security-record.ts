import { ecsBase, group, present } from '#analytics/formats/ecs-base.ts';
import { ecsThreat } from '#analytics/formats/ecs-threat.ts';
import { SECURITY_EVENTS, type SecurityEventKind } from '#api/http/security-events.ts';
import type { SecurityIncident } from '../port.ts';
import { ecsOrigin, userIdOf } from './base.ts';

/** ATT&CK Enterprise ids of the tactics in `SECURITY_EVENTS`. */
const TACTIC_IDS: Readonly<Record<(typeof SECURITY_EVENTS)[SecurityEventKind]['tactic'], string>> = {
  reconnaissance: 'TA0043',
  'initial-access': 'TA0001',
  'privilege-escalation': 'TA0004',
  'credential-access': 'TA0006',
  discovery: 'TA0007',
  'command-and-control': 'TA0011',
  impact: 'TA0040',
};

/** Severity from 0 to 100, as for detections. Kinds that may already have succeeded are above mere attempts. */
const SEVERITIES: Readonly<Record<SecurityEventKind, number>> = {
  'credential-stuffing': 73,
  'password-guessing': 47,
  'key-guessing': 47,
  'code-guessing': 47,
  'account-enumeration': 47,
  'endpoint-enumeration': 21,
  'path-traversal': 47,
  injection: 47,
  'request-forgery': 73,
  'limit-breach': 21,
  'privilege-escalation': 73,
};

/**
 * Returns the ECS document of abuse by one address: an alert. The document that reports its end has the same `event.id`
 * and the full count.
 */
export function securityRecord(incident: SecurityIncident): object {
  const { id, kind, origin, actor, subject, count, targets, firstAt, lastAt } = incident;
  const { technique, name, tactic } = SECURITY_EVENTS[kind];
  const user = userIdOf(actor);
  return {
    _type: 'security',
    ...ecsBase(lastAt.toISOString()),
    message: `${kind} from ${origin.ip}: ${count} ${count === 1 ? 'sign' : 'signs'}`,
    event: {
      kind: 'alert',
      category: ['intrusion_detection', 'web'],
      type: ['info'],
      action: kind,
      code: kind,
      module: 'trapline',
      dataset: 'trapline.security',
      id,
      severity: SEVERITIES[kind],
      start: firstAt.toISOString(),
      end: lastAt.toISOString(),
    },
    rule: { id: kind, name: kind, ruleset: 'trapline-abuse' },
    ...ecsThreat([{ tactic: TACTIC_IDS[tactic], technique, name }]),
    ...ecsOrigin(origin, { user: user === undefined ? [] : [user] }),
    ...group('user', { id: user }),
    ...group('http', { request: { id: origin.requestId } }),
    trapline: { security: present({ count, targets, subject, actor }) },
  };
}
