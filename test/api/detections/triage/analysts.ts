import pino from 'pino';
import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { DEFAULT_DETECTION_SETTINGS, type DetectionSettings } from '#analytics/detections/settings.ts';
import { createAudit } from '#api/audit/audit.ts';
import { createProposals } from '#api/detections/proposals/proposals.ts';
import type { DetectionChangesDeps } from '#api/detections/register-detections.ts';
import { createRuleChange } from '#api/detections/settings/change-rule.ts';
import { createExceptionRequests } from '#api/detections/settings/exception-requests.ts';
import { createExceptions } from '#api/detections/settings/exceptions.ts';
import { landExceptions } from '#api/detections/settings/land-exceptions.ts';
import { createDecisionChanges } from '#api/detections/triage/change-decisions.ts';
import { createDecisionUndo } from '#api/detections/triage/undo-decisions.ts';
import { createUserRuleChanges } from '#api/detections/user-rules/change-user-rules.ts';
import type { GuardDeps } from '#api/http/plugins/guard.ts';
import type { Database } from '#api/postgres/database.ts';
import { operatorGuard } from '../../running-app.ts';

/**
 * Admits the operator and the keys `ann`, `bob` (analysts), `reader` (read only) and `admin`, until they are removed.
 */
export function analystsGuard(taken: ReadonlySet<string> = new Set()): GuardDeps {
  return {
    ...operatorGuard(),
    async verifyKey(key) {
      if (taken.has(key) || !['ann', 'bob', 'reader', 'admin'].includes(key)) return undefined;
      const scopes = [
        'detections:read' as const,
        'cases:read' as const,
        ...(key === 'reader' ? [] : ['detections:write' as const, 'cases:write' as const]),
        ...(key === 'admin' ? ['admin' as const] : []),
      ];
      const role = key === 'admin' ? 'admin' : 'analyst';
      return { kind: 'key', userId: `id-of-${key}`, username: key, role, keyId: key, scopes };
    },
  };
}

/** Accounts that can be assigned, and one that cannot. */
export async function addAccounts(database: Database): Promise<void> {
  const account = (username: string, role: 'user' | 'analyst', disabled = false) => ({
    username,
    email: `${username.toLowerCase()}@example.org`,
    passwordHash: null,
    role,
    disabled,
  });
  await database
    .insertInto('users')
    .values([account('Annabel', 'analyst'), account('plain-user', 'user'), account('gone-one', 'analyst', true)])
    .execute();
}

/** Sends a request with a key and resolves to status, ETag and body. */
export function caller(url: string, key: string) {
  return async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      etag: response.headers.get('etag') ?? '',
      body: text === '' ? undefined : JSON.parse(text),
    };
  };
}

/** The dependencies of the detection service routes, created as in a process. */
export function serviceDeps(
  clickhouse: ClickHouse,
  database: Database,
  base: DetectionSettings = DEFAULT_DETECTION_SETTINGS,
  changed: () => Promise<void> = async () => {},
): DetectionChangesDeps {
  const audit = createAudit();
  const settings = { database, audit, base, changed };
  const decisions = { clickhouse, database, audit, logger: pino({ level: 'silent' }) };
  const landing = {
    ...settings,
    async changed() {
      await changed();
      return landExceptions({ clickhouse, database, base });
    },
  };
  const changeDecisions = createDecisionChanges(decisions);
  return {
    database,
    changeDecisions,
    proposals: createProposals({ clickhouse, database, audit, changeDecisions }),
    undoDecisions: createDecisionUndo(decisions),
    changeRule: createRuleChange(settings),
    userRules: createUserRuleChanges(settings),
    exceptions: createExceptions(landing),
    exceptionRequests: createExceptionRequests(landing),
  };
}
