import type { Output } from './output.ts';

/** Kinds of receivers, in the order in which they are offered. */
export const KINDS = [
  'webhook',
  'chat',
  'syslog',
  'kafka',
  'file',
  'workflows',
] as const satisfies readonly Output['type'][];
export type OutputKind = (typeof KINDS)[number];
