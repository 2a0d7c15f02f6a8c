import { catalogue } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';

const withSilenced = (count: number, silenced: number) =>
  silenced === 0 ? numberText(count) : `${numberText(count)} (${numberText(silenced)} silenced)`;

/** All texts of the pages of detection rules. */
export const RULES_TEXT = catalogue('rules', {
  title: 'Rules',
  rule: 'Rule',
  loading: 'Loading the rules',
  loadingRule: 'Loading the rule',
  states: { on: 'On', off: 'Off' },
  attack: (techniques: readonly { readonly technique: string; readonly name: string }[]) =>
    techniques.map(({ technique, name }) => `${technique} ${name}`).join(', '),
  changed: (names: readonly string[]) => `. Changed from the default: ${names.join(', ')}`,
  history: 'Change history',
  facts: {
    state: 'State',
    severity: 'Severity',
    attack: 'ATT&CK',
    detections: 'Detections',
    version: 'Version',
    author: 'Last changed by',
  },
  ofUser: 'User rule',
  userRuleHint: 'Change this rule with `trapline rules push`.',
  showDetections: 'View detections',
  technique: (technique: string, name: string, tactic: string) => `${technique} ${name} (tactic ${tactic})`,
  runbook: { title: 'Runbook', nextChecks: 'Next steps', falsePositives: 'Known false positives' },
  statistics: {
    title: 'Statistics',
    falseAlarms: (perMonth: number, forEach: string | null) =>
      `Expected false alarms on an ordinary host: ${perMonth} per month${forEach === null ? '' : `, plus one for each ${forEach}`}.`,
    evasions: 'Known evasions',
    evasion: (evasion: string, price: string) => `${evasion}. Cost to the attacker: ${price}`,
  },
  thresholds: {
    title: 'Thresholds',
    columns: { name: 'Threshold', value: 'Value', default: 'Default' },
    adminsOnly: 'Only administrators can change thresholds.',
  },
  settings: {
    title: 'Settings',
    enabled: 'Rule enabled',
    severity: 'Severity',
    severityByEvidence: 'Automatic (from the evidence)',
    changed: (label: string) => `${label} – changed`,
    /** `duration`: a threshold in seconds as a duration, for example 6 h. */
    hint: (name: string, duration: string | undefined) => (duration === undefined ? name : `${name}: ${duration}`),
    notANumber: 'Enter a number, or leave it empty for the default',
    save: 'Save',
    discard: 'Discard changes',
    unchanged: 'No changes.',
    changes: (names: readonly string[]) => `Unsaved changes: ${names.join(', ')}.`,
    saved: (rule: string) => `${rule} saved. The settings apply to new events within seconds.`,
    default: 'default',
    on: 'on',
    off: 'off',
  },
  conflict: {
    loading: 'Loading the changes',
    title: 'Another user changed this rule while you were editing',
    hint: 'Your changes are not saved. Changes of the other user:',
    columns: { name: 'Setting', before: 'Before', now: 'Now', mine: 'Yours' },
    merge: 'Apply my changes to the current settings',
  },
  backtest: {
    label: 'Back-test',
    title: 'Back-test',
    range: 'Stored events',
    ranges: { 1: 'Last day', 7: 'Last 7 days', 30: 'Last 30 days' },
    action: 'Run back-test',
    stop: 'Stop',
    cancel: 'Cancel',
    cancelled: 'Back-test cancelled',
    starting: 'Starting',
    running: 'Running on stored events (up to 30 s)',
    progress: 'Events checked',
    judged: (percent: string, judged: number, total: number) =>
      `${percent} (${numberText(judged)} of ${counted(total, 'event')})`,
    queued: (position: number) =>
      position === 1
        ? 'Next in the queue: starts when the running back-test ends'
        : `Position ${position} in the queue: starts after ${position} other back-tests`,
    seconds: (seconds: number) => `${seconds} s`,
    result: 'Result of the back-test',
    outdated: 'The settings have changed since this back-test. Run it again.',
    detections: (days: string) => `Detections in ${days === '1' ? '1 day' : `${days} days`}: `,
    count: withSilenced,
    current: (count: number, silenced: number) => `; current settings: ${withSilenced(count, silenced)}.`,
    /** The time of the first event follows. */
    events: (count: number) => `${counted(count, 'event')} since `,
    incomplete: '. Limit reached: only the latest events were used.',
    complete: '.',
    added: 'New',
    removed: 'No longer detected',
    changed: 'Changed',
    first: (count: number) => ` (first ${count})`,
    before: 'Current',
    after: 'Proposed',
    subject: (procname: string | null, hostname: string | null) =>
      `${procname ?? 'No program'} on ${hostname ?? 'an unnamed host'}`,
    crashes: (count: number) => `, ${counted(count, 'crash', 'crashes')}, `,
    open: 'Open',
  },
} as const);
