import type { AuditEntryBody } from '#schemas/api/audit-log.ts';
import type { AuditRow } from './tables/audit-log.ts';

/** Converts an audit entry for lists. `names`: see `namesInAudit`. */
export function auditRecord(row: AuditRow, names: ReadonlyMap<string, string>): AuditEntryBody {
  const { id, at, actor, target, action, diff, ip, userAgent, requestId, hash } = row;
  return {
    id,
    at: at.toISOString(),
    actor,
    target,
    actorName: names.get(actor) ?? null,
    targetName: names.get(target) ?? null,
    action,
    diff,
    ip,
    userAgent,
    requestId,
    hash: hash.toString('hex'),
  };
}
