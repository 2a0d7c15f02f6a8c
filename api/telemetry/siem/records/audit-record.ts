import { ecsBase, group } from '#analytics/formats/ecs-base.ts';
import type { CommittedAuditEntry } from '#api/audit/port.ts';
import { ecsOrigin, userIdOf } from './base.ts';

interface Classification {
  readonly category: readonly string[];
  readonly type: readonly string[];
}

/** Category and type from ECS's allowed values. Actions that are not listed are changes of the configuration. */
const CLASSIFICATION: Readonly<Record<string, Classification>> = {
  'user.register': { category: ['iam'], type: ['user', 'creation'] },
  'user.set-up': { category: ['iam'], type: ['user', 'creation'] },
  'user.create': { category: ['iam'], type: ['user', 'creation'] },
  'user.update': { category: ['iam'], type: ['user', 'change'] },
  'user.disable': { category: ['iam'], type: ['user', 'change'] },
  'user.enable': { category: ['iam'], type: ['user', 'change'] },
  'user.lock': { category: ['iam'], type: ['user', 'change'] },
  'user.quota': { category: ['iam'], type: ['user', 'change'] },
  'session.create': { category: ['authentication', 'session'], type: ['start'] },
  'session.end': { category: ['session'], type: ['end'] },
  'password.reset.request': { category: ['iam'], type: ['user', 'info'] },
  'password.link': { category: ['iam'], type: ['user', 'change'] },
  'password.link.send': { category: ['iam'], type: ['user', 'change'] },
  'password.reset': { category: ['iam'], type: ['user', 'change'] },
  'password.change': { category: ['iam'], type: ['user', 'change'] },
  'email.change.request': { category: ['iam'], type: ['user', 'info'] },
  'email.change': { category: ['iam'], type: ['user', 'change'] },
  'second-factor.request': { category: ['authentication'], type: ['info'] },
  'second-factor.refuse': { category: ['authentication'], type: ['info'] },
  'second-factor.enrol': { category: ['iam'], type: ['user', 'change'] },
  'second-factor.remove': { category: ['iam'], type: ['user', 'change'] },
  'second-factor.reset': { category: ['iam'], type: ['user', 'change'] },
  'recovery-codes.create': { category: ['iam'], type: ['user', 'change'] },
  'passkey.create': { category: ['iam'], type: ['user', 'change'] },
  'passkey.update': { category: ['iam'], type: ['user', 'change'] },
  'passkey.delete': { category: ['iam'], type: ['user', 'change'] },
  'key.create': { category: ['iam'], type: ['creation'] },
  'key.revoke': { category: ['iam'], type: ['deletion'] },
  'key.rotate': { category: ['iam'], type: ['change'] },
  'key.update': { category: ['iam'], type: ['change'] },
  'key.leak': { category: ['iam'], type: ['info'] },
  'oauth.sign-in': { category: ['authentication'], type: ['start'] },
  'oauth.link': { category: ['iam'], type: ['user', 'change'] },
  'oauth.create': { category: ['iam'], type: ['user', 'creation'] },
  'oauth.reject': { category: ['authentication'], type: ['info'] },
  'exception.create': { category: ['configuration'], type: ['creation'] },
  'exception-request.create': { category: ['configuration'], type: ['creation'] },
  'exception.delete': { category: ['configuration'], type: ['deletion'] },
  'detection.update': { category: ['intrusion_detection'], type: ['info'] },
  'proposal.create': { category: ['intrusion_detection'], type: ['info'] },
  'proposal.accept': { category: ['intrusion_detection'], type: ['info'] },
  'proposal.decline': { category: ['intrusion_detection'], type: ['info'] },
};
const CHANGE: Classification = { category: ['configuration'], type: ['change'] };

/** Returns the account that an entry concerns: its target, or the owner of the changed object. */
function affectedUserOf({ target, diff }: CommittedAuditEntry): string | undefined {
  const { owner } = diff as { readonly owner?: { readonly before?: unknown; readonly after?: unknown } };
  const named = owner?.after ?? owner?.before;
  return userIdOf(target) ?? (typeof named === 'string' ? userIdOf(named) : undefined);
}

/**
 * Returns the ECS document of an audit entry. The difference is JSON text, because its members have arbitrary names and
 * types.
 */
export function auditRecord(entry: CommittedAuditEntry): object {
  const { id, at, actor, target, action, diff, origin, hash } = entry;
  const actingUser = userIdOf(actor);
  const targetUser = affectedUserOf(entry);
  return {
    _type: 'audit',
    ...ecsBase(at.toISOString()),
    message: `${actor}: ${action} ${target}`,
    event: {
      kind: 'event',
      ...(CLASSIFICATION[action] ?? CHANGE),
      action,
      outcome: action === 'oauth.reject' ? 'failure' : 'success',
      module: 'trapline',
      dataset: 'trapline.audit',
      id: String(id),
      sequence: id,
    },
    ...group('user', { id: actingUser, target: targetUser === undefined ? undefined : { id: targetUser } }),
    ...ecsOrigin(origin, { user: [...new Set([actingUser, targetUser].filter((user) => user !== undefined))] }),
    ...group('http', { request: origin.requestId === '' ? undefined : { id: origin.requestId } }),
    trapline: { audit: { actor, target, diff: JSON.stringify(diff), hash } },
  };
}
