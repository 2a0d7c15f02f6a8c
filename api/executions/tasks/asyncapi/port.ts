import type { JsonValue } from '../../json-value.ts';

/** Brokers of a Kafka cluster that a document names. */
export interface BrokerConnection {
  readonly brokers: readonly string[];
  readonly secure: boolean;
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

/** Whether a message is taken, and whether another may follow. Messages are judged one after another. */
export type JudgeMessage = (message: ReceivedMessage) => Promise<{ readonly take: boolean; readonly more: boolean }>;

/** Kafka clusters that users chose. Connections are made under the outbound guard; all methods reject with `OutboundFailure`. */
export interface MessageBroker {
  publish(
    connection: BrokerConnection,
    topic: string,
    message: { readonly value: string; readonly headers: Readonly<Record<string, string>> },
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Receives messages that come after the subscription has begun, until `judge` says that there are no more, or the time is over. `group` makes a
   * repeated subscription go on where it was. `judge` never rejects.
   */
  receive(
    connection: BrokerConnection,
    topic: string,
    end: { readonly group: string; readonly judge: JudgeMessage; readonly forMs: number },
    signal: AbortSignal,
  ): Promise<readonly ReceivedMessage[]>;
}
