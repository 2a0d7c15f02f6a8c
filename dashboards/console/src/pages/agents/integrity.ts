import { AGENTS_TEXT } from './text.ts';

const TEXT = AGENTS_TEXT.integrity;

/** Whether the workspace contains the entry script of the runtime. */
export const INTEGRITY = {
  healthy: { text: TEXT.healthy, tone: 'good' },
  source_missing: { text: TEXT.source_missing, tone: 'bad' },
  unregistered: { text: TEXT.unregistered, tone: 'warning' },
} as const;
