import { hasRole, type Role } from './role-order.ts';

/** Scopes that a key can be limited to. A key never exceeds the role of its owner. */
export const SCOPES = {
  scrapers: { role: 'user', description: 'call scrapers and fetch uploads' },
  // Events can open detections, so the key of a detector must belong to an analyst, an administrator or the operator.
  'events:write': { role: 'analyst', description: 'send events (detector key)' },
  'detections:read': { role: 'analyst', description: 'read events, detections and dead letters' },
  'detections:write': { role: 'analyst', description: 'triage detections, redrive dead letters' },
  'cases:read': { role: 'analyst', description: 'read cases, their comments and files' },
  'cases:write': { role: 'analyst', description: 'open and change cases, comment on them, add files' },
  'detections:propose': { role: 'analyst', description: 'propose triage, which an analyst accepts or declines' },
  'workflows:read': { role: 'user', description: 'read workflows and their executions' },
  'workflows:run': { role: 'user', description: 'run workflows' },
  'workflows:write': { role: 'user', description: 'create and release workflows' },
  'tasks:work': { role: 'user', description: 'do tasks of workflows in a process of your own (worker key)' },
  'agents:read': { role: 'user', description: 'read agents and their executions' },
  'agents:run': { role: 'user', description: 'run agents' },
  'agents:write': { role: 'user', description: 'create and change agents' },
  scim: { role: 'admin', description: 'manage users and groups as an identity provider (SCIM)' },
  admin: { role: 'admin', description: 'rules, exceptions and everything an administrator may do by key' },
} as const satisfies Record<string, { readonly role: Role; readonly description: string }>;

export type Scope = keyof typeof SCOPES;
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

/** Returns the scopes that a key may have if its owner has this role. */
export function scopesOfRole(role: Role): Scope[] {
  return SCOPE_NAMES.filter((scope) => hasRole(role, SCOPES[scope].role));
}
