import type { RequestOrigin } from '#api/http/request-origin.ts';
import type { Db } from '#api/postgres/database.ts';

/** All actions that create an audit entry. */
export const AUDIT_ACTIONS = [
  'user.register',
  'user.set-up',
  'user.create',
  'user.update',
  'user.disable',
  'user.enable',
  'user.lock',
  'user.quota',
  'session.create',
  'session.end',
  'password.reset.request',
  'password.link',
  'password.link.send',
  'password.reset',
  'password.change',
  'email.change.request',
  'email.change',
  'second-factor.request',
  'second-factor.refuse',
  'second-factor.enrol',
  'second-factor.remove',
  'second-factor.reset',
  'recovery-codes.create',
  'passkey.create',
  'passkey.update',
  'passkey.delete',
  'key.create',
  'key.revoke',
  'key.rotate',
  'key.update',
  'key.leak',
  'detector-token.create',
  'detector.enrol',
  'detector.revoke',
  'oauth.sign-in',
  'oauth.link',
  'oauth.create',
  'oauth.reject',
  'rule.update',
  'user-rule.push',
  'user-rule.update',
  'exception.create',
  'exception.delete',
  'exception-request.create',
  'exception-request.approve',
  'exception-request.reject',
  'exception-request.withdraw',
  'exception-policy.update',
  'detection.update',
  'detection.execution',
  'case.create',
  'case.update',
  'case.detections',
  'case.task',
  'case.file',
  'case.execution',
  'case-template.create',
  'case-template.update',
  'case-template.delete',
  'comment.create',
  'comment.update',
  'comment.delete',
  'proposal.create',
  'proposal.accept',
  'proposal.decline',
  'dead-letter.redrive',
  'demo.replay',
  'demo.remove',
  'workflow.release',
  'workflow.delete',
  'workflow.trigger',
  'workflow.pause',
  'workflow.resume',
  'workflow.bulk-cancel',
  'workflow.bulk-replay',
  'execution.suspend',
  'execution.resume',
  'secret.put',
  'secret.delete',
  'secret.reseal',
  'backup.create',
  'agent.update',
  'team.create',
  'team.update',
  'team.delete',
  'grant.create',
  'grant.delete',
  'approval.decide',
  'output.create',
  'output.update',
  'output.delete',
  'output.test',
  'output.resend',
] as const;
export type AuditAction = (typeof AUDIT_ACTIONS)[number];

export interface AuditEntry {
  /** See `actorOf`; `system` for actions of a process. */
  readonly actor: string;
  /** `user:<id>`, `key:<keyId>`, `rule:<id>` … */
  readonly target: string;
  readonly action: AuditAction;
  /**
   * Field names with their values before and after. Secrets are redacted on insertion, even if the caller did not
   * remove them.
   */
  readonly diff?: Readonly<Record<string, { readonly before?: unknown; readonly after?: unknown }>>;
  readonly origin: RequestOrigin;
}

export interface Audit {
  /**
   * Adds an entry in the transaction of the recorded change, so that both are committed or neither. Must run in a
   * transaction of `inTransaction`; the entry is written as its last statement. After the commit, the entry is also
   * sent to the SIEM file.
   */
  record(transaction: Db, entry: AuditEntry): Promise<void>;
}

/** A committed entry, redacted. */
export interface CommittedAuditEntry {
  /** Sequence number from 1, without gaps. */
  readonly id: number;
  readonly at: Date;
  readonly actor: string;
  readonly target: string;
  readonly action: AuditAction;
  readonly diff: Readonly<Record<string, unknown>>;
  readonly origin: RequestOrigin;
  /**
   * Hexadecimal. A copy that is stored outside the control of the database administrators is evidence: see `trapline
   * audit verify --expect`.
   */
  readonly hash: string;
}
