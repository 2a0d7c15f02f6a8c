import { catalogue } from '../../language/catalogue.ts';
import { counted } from '../../parts/counted.ts';

/** All texts of the page of first steps. */
export const FIRST_STEPS_TEXT = catalogue('firstSteps', {
  title: 'First steps',
  refresh: 'Refresh',
  loading: 'Loading the state of the steps',
  role: {
    title: 'Your role is User',
    hint: 'You can run workflows and agents, and call scrapers. To send events and read detections you need the Analyst role: ask an administrator.',
  },
  finished: 'All steps are done.',
  unfinished: 'Follow the steps in order and refresh after each.',
  hint: 'Run the commands in a checkout of Trapline. They read the API key from the environment.',
  states: { done: 'Done', next: 'Next step', unseen: 'Not visible to your role' },
  key: {
    title: 'Create a key',
    hint: 'Detectors authenticate with an API key.',
    createFirst: 'Create your first key',
    show: 'Show your keys or create one',
    /** The link precedes it, and the placeholder of the key follows. */
    replace: '. Replace this placeholder with the key:',
    command: 'Environment of the commands',
  },
  event: {
    title: 'Send a test event',
    hint: 'A harmless crash event to test the connection. Send it from here or from a terminal:',
    send: 'Send test event',
    sent: 'Test event stored: a crash of test-event on the host first-steps.',
    command: 'Test event with curl',
    show: 'Show events',
    needed: 'You need the Analyst role and a key with the scope events:write.',
  },
  detector: {
    title: 'Connect a detector',
    hint: 'Run this on each machine to monitor. The detector follows the kernel log and configures the kernel to log crashes:',
    command: 'Detector on this machine',
    fromFile: 'From a log file instead:',
    fileCommand: 'Detector from a file',
    demo: 'To see a detection now, replay the bundled capture of a real attack:',
    show: 'Show detections',
  },
  demo: {
    replay: 'Replay attack',
    remove: 'Remove demo data',
    replayed: (events: number) => `Stored as host demo: ${counted(events, 'event')}.`,
    removed: 'Demo data removed.',
    removal: {
      title: 'Remove the demo data?',
      action: 'Remove',
      consequence: 'This deletes all events and detections of the host demo that came from the bundled capture.',
    },
  },
  workflow: {
    title: 'Push an example workflow',
    hint: 'Workflows respond to detections: they enrich, isolate or report.',
    command: 'Push the example workflows',
    show: 'Show workflows',
  },
} as const);
