import { catalogue } from '../../language/catalogue.ts';

/** Every text of the pages of exceptions. */
export const EXCEPTIONS_TEXT = catalogue('exceptions', {
  title: 'Exceptions',
  list: 'Exceptions',
  create: 'Create exception',
  /** For analysts, who cannot create exceptions. */
  preview: 'Preview exception',
  showRemoved: 'Show removed',
  empty: 'No exceptions. Create one to silence a harmless detection that recurs.',
  columns: { subject: 'Silences', reason: 'Reason', expires: 'Expires', state: 'State' },
  never: 'never',
  states: { active: 'Active', expired: 'Expired', removed: 'Removed' },
  subject: {
    rule: (rule: string) => `rule ${rule}`,
    program: (program: string) => `program ${program}`,
    file: (file: string) => `file ${file}`,
    host: (host: string) => `host ${host}`,
    nothing: 'nothing',
  },
  details: {
    title: 'Exception',
    silences: 'Silences',
    reason: 'Reason',
    state: 'State',
    expires: 'Expires',
    created: 'Created',
    removed: 'Removed',
    by: (user: string | null) => (user === null ? '' : ` by ${user}`),
    createdFrom: 'Created from',
    detection: 'Detection',
  },
  removal: {
    action: 'Remove',
    title: 'Remove this exception?',
    consequence: (subject: string) =>
      `It silences ${subject}. Detections that it silenced are open again and raise an alert when they get new evidence. The exception stays visible under “Show removed”.`,
    done: 'Exception removed. It takes effect within seconds.',
  },
  file: {
    label: 'Exceptions in the rules file',
    title: 'In the rules file',
    hint: 'These take precedence. To change them, edit the rules file on the server.',
    item: (subject: string, reason: string) => `${subject}: ${reason}`,
  },
  form: {
    title: 'New exception',
    hint: 'Matching detections stay stored but raise no alert; this includes open ones.',
    /** Wildcards of the fields, each with what it matches. */
    wildcards: [
      { wildcard: '*', matches: 'matches any text' },
      { wildcard: '?', matches: 'matches one character' },
    ],
    fields: {
      hostname: { label: 'Host', placeholder: 'build-*' },
      program: { label: 'Program', placeholder: 'fuzz-target' },
      file: { label: 'Mapped file', placeholder: '/srv/tests/*' },
      rule: { label: 'Rule', placeholder: 'stack-*' },
    },
    expires: 'Expires',
    expiresHint: 'In your time zone. Leave empty to never expire',
    reason: 'Reason (shown in the audit log)',
    adminsOnly: 'Only administrators can create exceptions. You can preview what an exception would silence.',
    showPreview: 'Show preview',
    submit: 'Create exception',
    missing: 'Enter a host, program, file or rule',
  },
} as const);
