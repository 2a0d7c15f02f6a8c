import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import type { Detection } from '#schemas/detection.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';

export interface TopicMessage {
  readonly key: string | null;
  readonly value: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** The part of a Kafka producer that outputs need. `deploy/` passes the producer of the pipeline. */
export interface TopicProducer {
  /** Resolves when the brokers have stored all messages, in order. Retries temporary failures until it is closed. */
  send(topic: string, messages: readonly TopicMessage[]): Promise<void>;
  close(): Promise<void>;
}

export interface KafkaAccess {
  readonly openProducer: () => TopicProducer;
  /** True if the brokers refused this message because of its size. */
  readonly isTooLarge: (error: unknown) => boolean;
}

/** Directory in which the operator permits outputs to write files. */
export interface FileAccess {
  /** Absolute path. */
  readonly folder: string;
}

/** A mail to one recipient. */
export interface OutputMail {
  readonly to: string;
  readonly subject: string;
  readonly paragraphs: readonly string[];
  /** Header Message-ID: the same for every delivery of a message. */
  readonly messageId: string;
  /** Header References: the same for all mails of one thread. */
  readonly threadId: string;
}

/** The mail server of this installation. */
export interface MailAccess {
  readonly send: (mail: OutputMail) => Promise<void>;
  /** True if the mail server refuses this mail permanently. */
  readonly isRefused: (error: unknown) => boolean;
}

/** Encodes messages as a Parquet file. */
export type EncodeParquet = (
  messages: readonly { delivery: string; cause: string; at: Date; detection: Detection }[],
  signal: AbortSignal,
) => Promise<Buffer>;

/**
 * Stores events for listening workflows. An event with the same source and id is stored once. `trace`: the trace that
 * the started executions continue.
 */
export type PublishEvents = (events: readonly CloudEvent[], trace?: TraceContext | undefined) => Promise<void>;

/** Means of this installation to reach receivers. A kind of output that needs a missing member is unavailable. */
export interface OutputReach {
  /** Sends HTTP requests through the outbound guard. */
  readonly fetch: OutboundFetch;
  readonly kafka?: KafkaAccess | undefined;
  readonly files?: FileAccess | undefined;
  readonly mail?: MailAccess | undefined;
  readonly publish?: PublishEvents | undefined;
  readonly parquet?: EncodeParquet | undefined;
}
