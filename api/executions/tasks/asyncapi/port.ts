import type { ClientCertificate } from '#api/outbound/port.ts';
import type { JsonValue } from '../../json-value.ts';

/** Kafka brokers that a document names, and how to connect. */
export interface BrokerConnection {
  readonly brokers: readonly string[];
  readonly secure: boolean;
  readonly certificate?: ClientCertificate;
  readonly sasl?: {
    readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
    readonly username: string;
    readonly password: string;
  };
}

export interface ReceivedMessage {
  readonly payload: JsonValue;
  readonly headers: Readonly<Record<string, string>>;
}

/** Decides whether to accept a message and whether to continue. Called for one message at a time. */
export type JudgeMessage = (message: ReceivedMessage) => Promise<{ readonly take: boolean; readonly more: boolean }>;

/** Kafka clusters chosen by users. Connections use the outbound guard. All methods reject with `OutboundFailure`. */
export interface MessageBroker {
  publish(
    connection: BrokerConnection,
    topic: string,
    message: { readonly value: string; readonly headers: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Receives messages sent after the start of the subscription, until `judge` ends it or the time limit is reached.
   * With the same `group`, a repeated subscription continues at its last position. `judge` must not reject.
   */
  receive(
    connection: BrokerConnection,
    topic: string,
    end: { readonly group: string; readonly judge: JudgeMessage; readonly forMs: number },
    signal: AbortSignal,
  ): Promise<readonly ReceivedMessage[]>;
}
