import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { CloudEvent } from '../executions/engine/port.ts';
import type { OutboundFetch } from '../outbound/port.ts';

export interface TopicMessage {
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A Kafka producer as outputs need it; `deploy/` passes the one of the pipeline. */
export interface TopicProducer {
  /** Resolves when the brokers have all messages, in their order; it retries temporary failures itself until it is closed. */
  send(topic: string, messages: readonly TopicMessage[]): Promise<void>;
  close(): Promise<void>;
}

export interface KafkaAccess {
  readonly openProducer: () => TopicProducer;
  /** Whether the brokers refuse this message for its size. */
  readonly isTooLarge: (error: unknown) => boolean;
}

/** Where the operator lets outputs write files. */
export interface FileAccess {
  /** Absolute. */
  readonly folder: string;
}

/** A mail to one recipient. */
export interface OutputMail {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Header Message-ID: the same for the same message. */
  readonly messageId: string;
  /** Header References: the same for all mails of one thread. */
  readonly threadId: string;
}

/** The mail server of this installation. */
export interface MailAccess {
  readonly send: (mail: OutputMail) => Promise<void>;
  /** Whether the mail server refuses this mail for good. */
  readonly isRefused: (error: unknown) => boolean;
}

/** Encodes messages as a Parquet file. */
export type EncodeParquet = (
  messages: readonly { delivery: string; cause: string; at: Date; detection: Detection }[],
  signal: AbortSignal,
) => Promise<Buffer>;

/** Stores events for workflows that listen; an event with the same source and id is stored once. `trace`: what executions that they start continue. */
export type PublishEvents = (events: readonly CloudEvent[], trace?: TraceContext | undefined) => Promise<void>;

/** How this installation can reach receivers. A kind of output that needs a missing member is not available. */
export interface OutputReach {
  /** Sends HTTP requests through the outbound guard. */
  readonly fetch: OutboundFetch;
  readonly kafka?: KafkaAccess | undefined;
  readonly files?: FileAccess | undefined;
  readonly mail?: MailAccess | undefined;
  readonly publish?: PublishEvents | undefined;
  readonly parquet?: EncodeParquet | undefined;
}
