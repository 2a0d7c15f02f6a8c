import type { KafkaClientName } from '#ingest/kafka/consumer.ts';
import type { BenchRow } from './row.ts';

/** Both Kafka clients behind the port. */
export const CLIENTS = ['kafkajs', 'platformatic'] as const satisfies readonly KafkaClientName[];

export type BothSides<T> = Record<KafkaClientName, T>;

/** Each round begins with the other side. */
export function inTurn(round: number): readonly KafkaClientName[] {
  return round % 2 === 0 ? CLIENTS : CLIENTS.toReversed();
}

export function mapSides<From, To>({ kafkajs, platformatic }: BothSides<From>, map: (side: From) => To): BothSides<To> {
  return { kafkajs: map(kafkajs), platformatic: map(platformatic) };
}

export function comparison(what: string, unit: string, { kafkajs, platformatic }: BothSides<number>): BenchRow {
  return {
    name: `kafka clients: ${what}`,
    value: platformatic,
    unit,
    baseline: kafkajs,
    ratio: platformatic / kafkajs,
    target: null,
    details: [`@platformatic/kafka ${platformatic.toPrecision(3)}, kafkajs ${kafkajs.toPrecision(3)} ${unit}`],
  };
}
