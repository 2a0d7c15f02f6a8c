import { it } from 'vitest';
import { startClickHouse } from '#test/support/services/clickhouse.ts';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { useKafka, useSharedClickHouse } from '#test/support/use-services.ts';
import { expectExactlyOnce } from './expect-exactly-once.ts';
import { type Blow, runOracle } from './oracle.ts';

/** Sends numbered events through real Kafka into real ClickHouse, as oracle.test.ts does. */

it('stores each event once while processes stop for long and continue (seed 201)', { timeout: 300_000 }, async () => {
  const [kafka, clickHouse] = await Promise.all([useKafka(), useSharedClickHouse()]);
  const blows: Blow[] = ['freeze', 'freeze'];
  expectExactlyOnce(
    await runOracle({ seed: 201, records: 6000, partitions: 4, processes: 2, blows, kafka, clickHouse }),
  );
});

it('stores each event once while brokers and engines are killed and restarted (seed 7)', {
  timeout: 400_000,
}, async () => {
  const [kafka, clickHouse] = await Promise.all([startKafkaBroker(), startClickHouse()]);
  try {
    const blows: Blow[] = ['kill engine', 'kill', 'kill broker'];
    expectExactlyOnce(
      await runOracle({ seed: 7, records: 6000, partitions: 4, processes: 2, blows, kafka, clickHouse }),
    );
  } finally {
    await Promise.all([kafka.stop(), clickHouse.stop()]);
  }
});
