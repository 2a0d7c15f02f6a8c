import { catalogue } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';

/** Every text of the profile page. */
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
  quota: { title: 'Usage', resource: 'Resource', used: 'Used', quota: 'Quota', unlimited: 'unlimited' },
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
