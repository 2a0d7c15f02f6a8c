/** Kinds of messages of the live feed. */
export const FEED_TYPES = ['request', 'security', 'detection', 'execution', 'dropped'] as const;
export type FeedType = (typeof FEED_TYPES)[number];

/** One message of the live feed, as a line. */
export interface FeedLine {
  /** Counts what came in since the page was opened. */
  readonly number: number;
  readonly type: FeedType;
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
  /** Whether it is about something that went wrong. */
  readonly bad: boolean;
}

type Message = Readonly<Record<string, unknown>>;

/** Reads a message; undefined for one of a kind that this console does not know. */
export function feedLine(json: string, number: number): FeedLine | undefined {
  const message: unknown = JSON.parse(json);
  if (typeof message !== 'object' || message === null) return undefined;
  const fields = message as Message;
  const type = FEED_TYPES.find((known) => known === fields.type);
  return type && { number, type, at: word(fields.at), ...TEXTS[type](fields) };
}

const TEXTS: Readonly<Record<FeedType, (fields: Message) => { readonly text: string; readonly bad: boolean }>> = {
  request: ({ method, path, status, durationMs, ip, actor }) => ({
    text: `${word(method)} ${word(path)} ${word(status)} in ${Math.round(Number(durationMs))} ms, ${word(ip)}, ${word(actor)}`,
    bad: Number(status) >= 400,
  }),
  security: ({ kind, technique, ip, count, actor }) => ({
    text: `${word(kind)} (${word(technique)}) from ${word(ip)}, ${word(count)} signs, ${word(actor)}`,
    bad: true,
  }),
  detection: ({ severity, message }) => ({ text: `${word(severity)}: ${word(message)}`, bad: true }),
  execution: ({ kind, id, status }) => ({
    text: `${word(kind)} ${word(id)} ${word(status)}`,
    bad: status === 'failed' || status === 'rejected',
  }),
  dropped: ({ count }) => ({ text: `${word(count)} messages were left out: this reader is too slow`, bad: true }),
};

function word(value: unknown): string {
  return value === undefined || value === null ? '–' : String(value);
}
