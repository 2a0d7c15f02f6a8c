import { catalogue } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';

/** All texts of the page of detectors. */
export const DETECTORS_TEXT = catalogue('detectors', {
  title: 'Detectors',
  list: 'Detectors',
  create: 'Enrol host',
  empty: 'No hosts are enrolled. Enrol a host to receive its events and to see when its detector stops reporting.',
  silent: (silent: number, enrolled: number) =>
    `${silent} of ${counted(enrolled, 'detector')} silent for 5 minutes or longer`,
  none: '–',
  never: 'never',
  states: {
    active: 'Active',
    lossy: 'Lost events',
    rejected: 'Rejected events',
    waiting: 'Not reported yet',
    silent: 'Silent',
  },
  columns: {
    host: 'Host',
    state: 'State',
    lastReport: 'Last report',
    lag: 'Lag',
    lost: 'Lost',
    version: 'Version',
    settings: 'Kernel settings',
  },
  phone: (version: string, lag: string, lost: number) => `${version} · lag ${lag} · ${lost} lost`,
  details: {
    title: (hostname: string) => `Detector on ${hostname}`,
    host: 'Host',
    state: 'State',
    version: 'Version',
    source: 'Source',
    key: 'Key prefix',
    enrolled: 'Enrolled',
    lastReport: 'Last report',
    lag: 'Lag',
    lagOf: (duration: string) => `${duration} (age of the oldest event not accepted by the server)`,
    lost: 'Lost records',
    lostOf: (records: string) => `${records} (kernel log overwritten before it was read)`,
    dropped: 'Dropped events',
    droppedOf: (events: string) => `${events} (spool full)`,
    refused: 'Rejected events',
    refusedOf: (events: string) => `${events} (kept in rejected.ndjson on the host)`,
    settings: 'Kernel settings',
  },
  revocation: {
    action: 'Revoke',
    question: (hostname: string) => `Revoke the detector on ${hostname}?`,
    confirm: 'Revoke detector',
    consequence:
      'The key of this host is rejected within a second, and the host leaves the list. Its events stay. New events wait on the host until it is enrolled again.',
  },
  form: {
    title: 'Enrol host',
    hostname: 'Host name (optional)',
    hostnameHint: 'Only this host can use the token. Required to enrol a host again',
    hostnamePlaceholder: 'e.g. web-01',
    validFor: 'Token valid for',
    periods: [
      { value: '60', label: '1 hour' },
      { value: '1440', label: '1 day' },
      { value: '10080', label: '7 days' },
    ],
    submit: 'Create token',
    done: 'Done',
  },
  token: {
    title: 'Enrolment token created',
    hint: 'The token is shown only once and works once. Install the detector package, then run as root on the host:',
    label: 'Enrolment command',
    command: (server: string, token: string, hostname: string | undefined) =>
      [
        `trapline-detector enroll ${server} ${token}${hostname === undefined ? '' : ` --hostname ${hostname}`}`,
        'systemctl restart trapline-detector',
      ].join('\n'),
    expires: 'Valid until',
    settings: (server: string) => `TRAPLINE_URL in /etc/trapline/detector.env must be ${server}.`,
  },
} as const);
