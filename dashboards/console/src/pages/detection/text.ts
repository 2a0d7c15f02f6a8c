import { catalogue } from '../../language/catalogue.ts';
import { numberText } from '../../language/numbers.ts';
import { counted } from '../../parts/counted.ts';
import { RULE_NAMES_TEXT } from '../../parts/rules/rule-names-text.ts';
import type { ShippedRule } from '../../parts/rules/shipped-rule.ts';
import { scanMessage } from './scan-message.ts';

const crashes = (count: number) => counted(count, 'crash', 'crashes');

/** All texts of the page of one detection. */
export const DETECTION_TEXT = catalogue('detection', {
  title: 'Detection',
  automation: (name: string) => `Workflow ${name}`,
  automationFor: (owner: string) => ` for ${owner}`,
  verdicts: {
    true_positive: 'True positive – an attack',
    false_positive: 'False positive – not an attack',
    benign: 'Benign – expected activity',
  },
  verdictNames: { true_positive: 'true positive', false_positive: 'false positive', benign: 'benign' },
  silenced: 'Silenced',
  actions: {
    label: 'Actions',
    acknowledge: 'Acknowledge',
    reopen: 'Reopen',
    close: 'Close…',
    assignToMe: 'Assign to me',
    createException: 'Create exception…',
  },
  keys: {
    acknowledge: 'Acknowledge',
    close: 'Close with a verdict',
    assignToMe: 'Assign to me',
    createException: 'Create exception',
    next: 'Next detection of the list',
    previous: 'Previous detection of the list',
    back: 'Back to the list',
  },
  /** Neighbours in the list from which the page was opened. */
  walk: {
    label: 'Position in the list',
    previous: 'Previous detection',
    previousTitle: 'Previous detection (k)',
    next: 'Next detection',
    nextTitle: 'Next detection (j)',
    position: (position: number, loaded: number, hasMore: boolean) =>
      `${numberText(position)} of ${numberText(loaded)}${hasMore ? '+' : ''}`,
  },
  /** Messages after a change, and a decision as the cause of a conflict. */
  decided: {
    statuses: { new: 'Reopened', acknowledged: 'Acknowledged', closed: 'Closed' },
    verdict: (verdict: string) => `Verdict: ${verdict}`,
    noVerdict: 'Verdict removed',
    assigned: (assignee: string) => `Assigned to ${assignee}`,
    unassigned: 'Unassigned',
    noteSaved: 'Note saved',
    noteRemoved: 'Note removed',
    current: (status: string, verdict: string | undefined, assignee: string | null) =>
      [status, verdict, assignee === null ? 'unassigned' : `assigned to ${assignee}`]
        .filter((part) => part !== undefined)
        .join(', '),
  },
  figures: {
    label: 'Key figures',
    crashes: 'Crashes logged',
    unlogged: 'Not logged',
    atLeast: (count: number) => `≥ ${numberText(count)}`,
    none: '0',
    duration: 'Duration',
    instant: '< 1 s',
    addresses: 'Distinct addresses',
    hosts: 'Hosts',
    risk: 'Risk (0 to 100)',
    signs: 'Detections',
    reports: 'Reports',
    unknown: '–',
  },
  activity: {
    active: 'Still active',
    activeHint: (minutes: number) => `Evidence within the last ${minutes} minutes`,
    stopped: (duration: string) => `Stopped ${duration} ago`,
    minutes: (minutes: number) => `${minutes} min`,
    stoppedHint: 'Time since the latest evidence',
  },
  story: {
    title: 'What happened',
    /** Message of a rule. The API provides it in English. */
    message: (rule: string, message: string) =>
      rule === 'host-risk' ? withNames(message) : rule === 'instruction-pointer-probe' ? scanMessage(message) : message,
    instant: 'All evidence has the same timestamp.',
    duration: (duration: string) => `Duration: ${duration}.`,
    durationAndRate: (duration: string, rate: string) => `Duration: ${duration} (${rate} crashes/s on average).`,
    unlogged: (logged: number, unlogged: number) =>
      `${crashes(logged)} logged; the kernel dropped at least ${counted(unlogged, 'more message')}.`,
    addresses: (
      low: string,
      high: string,
      bytes: bigint,
      examined: { readonly stored: number; readonly of: number },
      /** True if the addresses are offsets into a file, because each host maps it at a different address. */
      areOffsets: boolean,
    ) =>
      `${areOffsets ? 'Offsets' : 'Addresses'} probed: ${low}–${high} (${bytes === 1n ? '1 byte' : `${numberText(bytes)} bytes`}${examined.of > examined.stored ? `; ${examined.stored} of ${examined.of} values stored` : ''}).`,
    silenced: 'Silenced by an exception: stored, but raises no alert.',
  },
  plot: {
    instructionPointer: 'Instruction pointer over time',
    accessedOverTime: 'Accessed addresses over time',
    accessed: 'Accessed address',
    accessedOffset: (base: string | null) =>
      `Offset of the accessed address from ${base ?? 'the start of the mapping'}`,
    register: (register: string) => `${register} over time`,
    scales: { values: 'Addresses', mapping: 'Whole mapping' },
    scale: 'Scale of the plot',
    offset: (register: string, base: string | null) =>
      `Offset of ${register} from ${base ?? 'the start of the mapping'}`,
    unnamedMapping: 'unnamed mapping',
    places: (count: number) => `mapped at ${count} addresses`,
    bytes: (count: number) => counted(count, 'byte'),
    trap: 'Trap',
    signal: 'Signal',
    trapLine: 'Trap line',
    signalLine: 'Dump of a fatal signal',
    mappingStart: 'Start of the mapping',
    mappingEnd: 'End of the mapping',
    unloggedPeriod: (count: number) => `Period with unlogged crashes (≥ ${numberText(count)})`,
    elsewhere: (count: number, named: boolean) =>
      `${crashes(count)} ${named ? 'outside this mapping' : 'at distant addresses'} ${count === 1 ? 'is' : 'are'} only in the table.`,
    unloggedLabel: (count: number) => `≥ ${numberText(count)} unlogged`,
    summary: (register: string, count: number, low: string, high: string) =>
      `${register} in ${crashes(count)}, at offsets from ${low} to ${high}`,
    unlogged: (count: number) => `; unlogged crashes: at least ${count}`,
    table: '. The table below contains all of them.',
  },
  picture: {
    noData: 'No data: these events are no longer stored.',
    keys: 'Data points. Left and right arrow keys move, Enter opens the event',
    pause: (duration: string) => `Pause of ${duration}`,
    newestOnly: (count: number) => `The chart shows the latest ${counted(count, 'event')}.`,
  },
  canary: {
    title: 'Attempts over time',
    caption: 'Cumulative aborts: each wrong guess of a canary byte causes one',
    attempt: (number: number) => `Attempt ${numberText(number)}`,
    average: (attempts: number) => `${numberText(attempts)} on average`,
    max: (attempts: number) => `${numberText(attempts)} at most (7 × 256)`,
    legend: 'Abort',
    expected: 'Attempts needed to guess a canary',
    progress: (attempts: number, max: number, average: number) =>
      attempts >= max
        ? `${numberText(attempts)} attempts: guessing a canary takes at most ${numberText(max)} (7 bytes × 256). Treat the canary as known.`
        : `${numberText(attempts)} of at most ${numberText(max)} attempts (7 bytes × 256); ${numberText(average)} are needed on average.`,
    summary: (attempts: number, max: number) =>
      `${counted(attempts, 'attempt')} over time; guessing a canary takes at most ${numberText(max)}.`,
  },
  burst: {
    title: 'Suppressed messages over time',
    suppressed: (count: number) => `${counted(count, 'message')} suppressed`,
    loggedCrash: 'Logged crash',
    legendSuppressed: (count: number, crashes: number) =>
      `Suppressed messages (${numberText(count)}${crashes > 0 && crashes !== count ? `, ≥ ${numberText(crashes)} crashes` : ''})`,
    legendLogged: (count: number) => `Logged crashes (${numberText(count)})`,
    summary: (total: number, reports: number, logged: number) =>
      `${counted(total, 'suppressed message')} in ${counted(reports, 'report')}, and ${counted(logged, 'logged crash', 'logged crashes')}.`,
  },
  lanes: {
    others: (count: number) => `${numberText(count)} others`,
    unnamedHost: 'unnamed host',
    unnamedSetting: 'unnamed setting',
    hosts: 'Crashes by host over time',
    hostsSummary: (count: number, hosts: number) => `${crashes(count)} on ${counted(hosts, 'host')} over time.`,
    places: 'Crashes by location over time',
    events: 'Events by type over time',
    placesSummary: (count: number, places: number) =>
      `${counted(count, 'event')} over time, at ${counted(places, 'location')}.`,
    settings: 'Changed settings over time',
    settingLegend: 'Reported change',
    settingsSummary: (count: number, settings: number) =>
      `${counted(count, 'report')} over time about ${counted(settings, 'setting')}.`,
    faults: 'Kernel faults by function over time',
    unnamedFunction: 'unknown function',
    faultLegend: 'Kernel fault',
    faultsSummary: (count: number, functions: number) =>
      `${counted(count, 'kernel fault')} over time, in ${counted(functions, 'function')}.`,
    signs: 'Signs over time',
    signLegend: 'Detection',
    signPoints: (points: number) => `${numberText(points)} points`,
    signsSummary: (count: number, signs: number) =>
      `${counted(count, 'detection')} over time, of ${counted(signs, 'sign')}.`,
  },
  signs: {
    title: 'Signs',
    risk: (score: number, normalised: number, level: string) =>
      `Highest risk score ${score} (${normalised} of 100, level ${level}). Points at the time of the latest evidence.`,
    loading: 'Loading the signs',
    empty: 'These detections are no longer stored.',
    columns: { sign: 'Rule', program: 'Program', points: 'Points', detections: 'Latest evidence' },
  },
  hosts: { title: 'Hosts', more: (count: number) => `and ${numberText(count)} more` },
  evidence: {
    title: 'Evidence',
    list: 'Evidence',
    openInEvents: 'Open in Events',
    /** `program` is false if the detection is about the whole host. `hosts`: number of hosts of a campaign. */
    hint: (program: boolean, hosts: number, count: number) =>
      `All events of this ${hosts > 0 ? 'file on the hosts of the campaign' : program ? 'program' : 'host'} during the attack; ${numberText(count)} of them triggered the rule.`,
    ofSigns: 'All events of this host during the alert. Open a sign to see the events of one detection.',
    empty: 'These events are no longer stored.',
    count: (count: number) => counted(count, 'event'),
    detections: (count: number) => counted(count, 'detection'),
  },
  values: {
    title: 'Values',
    some: (shown: number, of: number) => `${numberText(shown)} of ${numberText(of)} distinct values`,
  },
  runbook: {
    title: 'Runbook',
    loading: 'Loading the runbook',
    nextChecks: 'Next steps',
    falsePositives: 'Known false positives',
  },
  event: {
    title: 'V1 event',
    show: 'Show',
    hide: 'Hide',
    none: 'This rule publishes no V1 event.',
    label: 'Text of the V1 event',
  },
  proposals: {
    title: 'Proposed by an assistant',
    /** `actor`: `key:ID` for a key. */
    by: (username: string, actor: string) =>
      actor.startsWith('key:') ? `${username}, key ${actor.slice(4)}` : username,
    accept: 'Accept',
    decline: 'Decline',
    accepted: 'Proposal accepted',
    declined: 'Proposal declined',
  },
  decision: {
    title: 'Decision',
    status: 'Status',
    verdict: 'Verdict',
    noVerdict: 'No verdict',
    assignee: 'Assignee',
    unassigned: 'Unassigned',
    note: 'Note',
    save: 'Save',
  },
  conflict: {
    title: (username: string) => `${username} changed this while you were editing`,
    unknownUser: 'Another user',
    keep: (username: string) => `Keep ${username}'s version`,
    theirs: (username: string, change: string) => `${username}: ${change}`,
    yours: (change: string) => `Your change, not saved: ${change}`,
  },
  facts: {
    title: 'Facts',
    rule: 'Rule',
    /** With a no-break space. */
    version: (version: number) => `, version\u00a0${version}`,
    host: 'Host',
    program: 'Program',
    file: 'File',
    firstSeen: 'First seen',
    lastSeen: 'Last seen',
    values: 'Distinct values',
    evidence: 'Evidence',
    attack: 'ATT&CK',
    exception: 'Exception',
    noException: 'none',
    id: 'ID',
  },
  attack: (name: string, tactic: string) => `${name} (${tactic})`,
  history: {
    title: 'History',
    loading: 'Loading the history',
    empty: 'No decisions yet.',
    none: 'none',
    names: { status: 'status', verdict: 'verdict', assignee: 'assignee', note: 'note' },
    values: {
      status: { new: 'new', acknowledged: 'acknowledged', closed: 'closed' },
      verdict: { true_positive: 'true positive', false_positive: 'false positive', benign: 'benign' },
    } as Readonly<Record<string, Readonly<Record<string, string>>>>,
  },
  related: {
    title: (hostname: string) => `Other detections on ${hostname}`,
    all: 'Show all',
    loading: 'Loading the detections of the host',
    empty: 'No other detections on this host.',
    name: (rule: string, procname: string | null) => (procname === null ? rule : `${rule}: ${procname}`),
  },
  exception: {
    title: 'Create exception',
    close: 'Close',
    hint: 'Matching detections stay stored but raise no alert; this includes open ones.',
    /** Wildcards of the fields with their meaning. */
    wildcards: [
      { wildcard: '*', matches: 'matches any text' },
      { wildcard: '?', matches: 'matches one character' },
    ],
    emptyField: 'an empty field matches everything',
    host: 'Host',
    program: 'Program',
    file: 'Mapped file',
    rule: 'Rule',
    expires: 'Expires',
    afterDays: (days: number) => `After ${days} days`,
    never: 'Never',
    reason: 'Reason (shown in the audit log)',
    cancel: 'Cancel',
    create: 'Create',
    needsApproval: 'An administrator has to approve this exception. It silences nothing until then.',
    requestTitle: 'Request exception',
    request: 'Send request',
    loadingPreview: 'Loading the preview',
  },
} as const);

/**
 * Replaces rule ids in a risk message by rule names: `sensitive-program-crash of sshd` becomes `Crash of a sensitive
 * program: sshd`. Some signs have no program.
 */
function withNames(message: string): string {
  return message.replace(/(?<=[:,] )([a-z][a-z-]+)( of (?=\S)|(?=, |\.$))/g, (found, id: string, of: string) =>
    Object.hasOwn(RULE_NAMES_TEXT, id) ? `${RULE_NAMES_TEXT[id as ShippedRule]}${of === '' ? '' : ': '}` : found,
  );
}
