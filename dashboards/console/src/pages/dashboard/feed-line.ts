import { DASHBOARD_TEXT } from './text.ts';

const TEXT = DASHBOARD_TEXT.live;

/** Types of messages of the live feed. */
export const FEED_TYPES = ['request', 'security', 'detection', 'execution', 'dropped'] as const;
export type FeedType = (typeof FEED_TYPES)[number];

/** One message of the live feed, as a line. */
export interface FeedLine {
  /** Sequence number since the page was opened. */
  readonly number: number;
  readonly type: FeedType;
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
  /** True for errors, abuse, detections and dropped messages. */
  readonly bad: boolean;
}

type Message = Readonly<Record<string, unknown>>;

/** Parses a message. Undefined for an unknown type. */
export function feedLine(json: string, number: number): FeedLine | undefined {
  const message: unknown = JSON.parse(json);
  if (typeof message !== 'object' || message === null) return undefined;
  const fields = message as Message;
  const type = FEED_TYPES.find((known) => known === fields.type);
  return type && { number, type, at: word(fields.at), ...TEXTS[type](fields) };
}

const TEXTS: Readonly<Record<FeedType, (fields: Message) => { readonly text: string; readonly bad: boolean }>> = {
  request: ({ method, path, status, durationMs, ip, actor }) => ({
    text: TEXT.request(word(method), word(path), word(status), Math.round(Number(durationMs)), word(ip), word(actor)),
    bad: Number(status) >= 400,
  }),
  security: ({ kind, technique, ip, count, actor }) => ({
    text: TEXT.security(word(kind), word(technique), word(ip), word(count), word(actor)),
    bad: true,
  }),
  detection: ({ severity, message }) => ({ text: TEXT.detection(word(severity), word(message)), bad: true }),
  execution: ({ kind, id, status }) => ({
    text: TEXT.execution(word(kind), word(id), word(status)),
    bad: status === 'failed' || status === 'rejected',
  }),
  dropped: ({ count }) => ({ text: TEXT.dropped(word(count)), bad: true }),
};

function word(value: unknown): string {
  return value === undefined || value === null ? '–' : String(value);
}
