import type { Scope } from '#schemas/api/scopes.ts';
import { catalogue } from '../language/catalogue.ts';

/** All texts about a failed call: its title, and what the user can do. */
export const FAILURE_TEXT = catalogue('failure', {
  titles: {
    console: 'Error in the console',
    unreachable: "Can't reach the server",
    server: 'Server error',
    rejected: 'Request rejected',
    byStatus: {
      401: 'Not signed in',
      403: 'Not permitted',
      404: 'Not found',
      409: 'Conflict',
      412: 'Conflict',
      429: 'Too many requests',
      503: 'Service unavailable',
    } as Readonly<Record<number, string>>,
  },
  advice: {
    unreachable: 'Check that Trapline is running and that the network reaches it, then retry.',
    server: 'Retry, or send the request ID to your administrator.',
    rejected: 'Correct the input and retry.',
    tooManyRequests: (seconds: number) => `Retry in ${seconds} s.`,
    byStatus: {
      401: 'Your session has ended. Sign in again.',
      403: 'Ask an administrator for access.',
      404: 'It may have been removed. Go back to the list.',
      409: 'It may have changed since you loaded it. Reload and retry.',
      412: 'Another user changed it. Reload and retry.',
      413: 'The request is larger than the server accepts. Send it in parts.',
      503: 'The server recovers without a restart. Retry in a moment.',
    } as Readonly<Record<number, string>>,
  },
  /**
   * A 403 because of a missing role. `purpose`: that of the required scope. Empty if the role is needed for several
   * purposes.
   */
  missingRole: (role: string, purpose: string): string =>
    purpose === '' ? `You need the ${role} role for this` : `You need the ${role} role to ${purpose}`,
  /** Purpose of a role, by scope. */
  purposes: {
    scrapers: 'use scrapers',
    'events:write': 'send events',
    'detections:read': 'see detections, events and dead letters',
    'detections:write': 'triage detections and retry dead letters',
    'detections:propose': 'propose decisions about detections',
    'cases:read': 'see cases',
    'cases:write': 'change cases',
    'workflows:read': 'see workflows',
    'workflows:run': 'run workflows',
    'workflows:write': 'change workflows',
    'tasks:work': 'do tasks of workflows',
    'agents:read': 'see agents',
    'agents:run': 'run agents',
    'agents:write': 'change agents',
    scim: 'manage users by SCIM',
    admin: '',
  } satisfies Record<Scope, string> as Readonly<Record<Scope, string>>,
  /** An issue that the API reports, in English. */
  issue: (_code: string, message: string) => message,
  noMessage: (status: number) => `status ${status}`,
} as const);
