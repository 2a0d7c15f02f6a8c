/** Whether what the runtime begins with is in the workspace. */
export const INTEGRITY = {
  healthy: { text: 'ready', tone: 'good' },
  source_missing: { text: 'script missing', tone: 'bad' },
  unregistered: { text: 'no files', tone: 'warning' },
} as const;
