import { catalogue } from '../language/catalogue.ts';
import { numberText } from '../language/numbers.ts';

/** All texts of the console's frame: navigation, account menu, shortcuts. */
export const APP_TEXT = catalogue('app', {
  product: 'Trapline',
  skip: 'Skip to the content',
  navigation: 'Navigation',
  /** Groups of the navigation. */
  groups: {
    Detection: 'Detection',
    Automation: 'Automation',
    Account: 'Account',
    Administration: 'Administration',
  },
  /** Names of the pages in the navigation. */
  sections: {
    detections: 'Detections',
    cases: 'Cases',
    events: 'Events',
    hosts: 'Hosts',
    deadLetters: 'Dead letters',
    rules: 'Rules',
    exceptions: 'Exceptions',
    outputs: 'Outputs',
    workflows: 'Workflows',
    executions: 'Executions',
    approvals: 'Approvals',
    agents: 'Agents',
    workers: 'Workers',
    firstSteps: 'First steps',
    keys: 'Keys and usage',
    system: 'System',
    users: 'Users',
    teams: 'Teams',
    identityProviders: 'Identity providers',
    auditLog: 'Audit log',
    detectors: 'Detectors',
  },
  /** Labels of waiting items in a section of the navigation. */
  waiting: {
    count: numberText,
    more: (count: number) => `${numberText(count)}+`,
    named: (count: string) => `(${count} open)`,
    some: '(some open)',
  },
  account: {
    facts: (email: string, role: string) => `${email}, ${role}`,
    profile: 'Profile',
    colours: 'Colour scheme',
    schemes: { light: 'Light', dark: 'Dark', auto: 'Same as system' },
    language: 'Language',
    browserLanguage: 'Same as browser',
    zone: 'Times',
    zones: { local: (name: string) => `Local (${name})`, utc: () => 'UTC' },
    signOut: 'Sign out',
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    show: 'Show keyboard shortcuts',
    goTo: (page: string) => `Go to ${page}`,
    close: 'Close',
  },
  loading: 'Loading',
  inUtc: 'UTC',
  delayed: (seconds: number) => `Rate limit almost reached: requests are delayed for ${seconds} s`,
} as const);
