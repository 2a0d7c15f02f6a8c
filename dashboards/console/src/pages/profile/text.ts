import type { QuotaResource } from '#schemas/api/quotas.ts';
import { catalogue } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';

/** All texts of the profile page. */
export const PROFILE_TEXT = catalogue('profile', {
  title: 'Profile',
  signOut: 'Sign out',
  saved: 'Profile saved.',
  facts: {
    email: 'E-mail address',
    value: (email: string, verified: boolean) => (verified ? email : `${email} (not verified)`),
    role: 'Role',
    created: 'Account created',
  },
  form: {
    title: 'Name and picture',
    username: 'User name',
    usernameHint: '3 to 32 letters, digits, - and _',
    picture: 'Picture',
    pictureHint: 'https address. Only API clients show it; the console loads nothing from other hosts.',
    picturePlaceholder: 'https://',
    save: 'Save',
  },
  quota: {
    title: 'Usage',
    resource: 'Resource',
    used: 'Used',
    quota: 'Quota',
    unlimited: 'unlimited',
    resources: {
      storage_bytes: 'Bytes of files, definitions and test cases, older versions included',
      agents: 'Agents',
      workflows: 'Workflows',
      versions: 'Versions of workflows and workspaces',
      api_keys: 'API keys, revoked ones included',
      executions: 'Unfinished executions',
      execution_bytes: 'Bytes of inputs, results, steps and log lines of executions',
      events: 'Events of the last 24 hours',
    } satisfies Record<QuotaResource, string>,
  },
  email: {
    title: 'E-mail address',
    next: 'New e-mail address',
    password: 'Password (to confirm)',
    action: 'Change address',
    changed: 'E-mail address changed.',
    sentTitle: 'Check your e-mail',
    sent: (email: string) =>
      `If no other account uses ${email}, we sent a link to it (valid 1 hour). The address changes when you open the link and confirm.`,
  },
  password: {
    title: 'Password',
    current: 'Current password',
    next: 'New password',
    hint: 'Use at least 12 characters; a random phrase works well.',
    action: 'Change password',
    forgotten: 'Forgot password?',
    changed: (sessionsEnded: number) =>
      sessionsEnded === 0 ? 'Password changed.' : `Password changed. ${counted(sessionsEnded, 'other session')} ended.`,
  },
  sessions: {
    title: 'Sessions',
    signedIn: 'Signed in',
    client: 'Browser and address',
    from: (client: string, ip: string) => `${client} · ${ip}`,
    unknownClient: 'Unknown client',
    current: 'This session',
    end: 'End',
    endOf: (ip: string) => `End the session from ${ip}`,
    endOthers: 'End all other sessions',
    ended: (count: number) => `${counted(count, 'session')} ended.`,
  },
} as const);
