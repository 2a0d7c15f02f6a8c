import type { Scope } from '#schemas/api/scopes.ts';
import { catalogue } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';

/** Every text of the page of API keys. */
export const KEYS_TEXT = catalogue('keys', {
  title: 'Keys and usage',
  create: 'Create key',
  list: 'Your keys',
  empty: 'You have no keys. Create one for a detector, the command line or your own program.',
  never: 'never',
  states: { active: 'Active', revoked: 'Revoked', expired: 'Expired' },
  columns: { name: 'Name', key: 'Key', scopes: 'Scopes', lastUsed: 'Last used', state: 'State' },
  details: {
    title: (name: string) => `Key ${name}`,
    state: 'State',
    prefix: 'Key prefix',
    created: 'Created',
    lastUsed: 'Last used',
    expires: 'Expires',
    scopes: 'Scopes',
  },
  revocation: {
    action: 'Revoke',
    question: (name: string) => `Revoke the key ${name}?`,
    confirm: 'Revoke key',
    consequence:
      'Clients that use this key are rejected within a second. You cannot undo this; create another key instead.',
  },
  form: {
    title: 'Create key',
    name: 'Name',
    nameHint: 'A name to recognise this key by',
    namePlaceholder: 'e.g. detector on web-01',
    scopes: 'Scopes',
    scopesHint: 'Grant only what the client needs; at least one',
    expires: 'Expires',
    expiresHint: 'In your time zone. Leave empty to never expire',
    submit: 'Create key',
    saved: 'I have saved the key',
  },
  /** What each scope permits. */
  permits: {
    scrapers: 'call scrapers and fetch uploads',
    'events:write': 'send events (detector key)',
    'detections:read': 'read events, detections and dead letters',
    'detections:write': 'triage detections, retry dead letters',
    'cases:read': 'read cases, their comments and files',
    'cases:write': 'open and change cases, comment on them, add files',
    'detections:propose': 'propose triage, which an analyst accepts or declines',
    'workflows:read': 'read workflows and their executions',
    'workflows:run': 'run workflows',
    'workflows:write': 'create and release workflows',
    'tasks:work': 'do tasks of workflows in a process of your own (worker key)',
    'agents:read': 'read agents and their runs',
    'agents:run': 'run agents',
    'agents:write': 'create and change agents',
    scim: 'manage users and groups as an identity provider (SCIM)',
    admin: 'change rules and exceptions, and call all that administrators can call with a key',
  } satisfies Record<Scope, string>,
  usage: {
    title: 'Your requests in the last 24 hours',
    loading: 'Loading your usage',
    requests: 'Requests',
    failed: 'Rejected or failed',
    description: (total: number, errors: number) =>
      `${counted(total, 'request')} in the last 24 hours, ${errors} rejected or failed.`,
    summary: (total: number, errors: number) =>
      `${counted(total, 'request')} by all your sessions and keys, ${errors} rejected or failed.`,
  },
} as const);
