import { describe, expect, it } from 'vitest';
import { problemsOf } from '#test/invariants/exactly-once.ts';
import { type Blow, type OracleResult, runOracle } from '#test/invariants/oracle.ts';
import { startClickHouse } from '#test/support/services/clickhouse.ts';
import { startKafkaBroker } from '#test/support/services/kafka-broker.ts';
import { useKafka, useSharedClickHouse } from '#test/support/use-services.ts';

function expectExactlyOnce(result: OracleResult): void {
  expect(problemsOf(result)).toEqual([]);
  // So many records as here hold several attacks.
  expect(result.expectedDetections.length).toBeGreaterThan(5);
}

describe('numbered events through real Kafka into real ClickHouse', () => {
  // `npm run soak` runs random combinations of faults in hundreds of runs. What an undisturbed run shows, or one process that is killed
  // again and again, these show too.
  const RUNS: readonly { title: string; seed: number; processes: number; blows: readonly Blow[] }[] = [
    { title: 'zombies that wake up and write', seed: 201, processes: 2, blows: ['freeze', 'freeze'] },
    { title: 'everything at once', seed: 301, processes: 3, blows: ['kill', 'freeze', 'leave', 'kill'] },
  ];

  it.each(RUNS)('$title (seed $seed)', { timeout: 300_000 }, async ({ seed, processes, blows }) => {
    const kafka = await useKafka();
    const clickHouse = await useSharedClickHouse();
    const result = await runOracle({ seed, records: 6000, partitions: 4, processes, blows, kafka, clickHouse });
    expectExactlyOnce(result);
  });

  it('brokers and engines that die and come back', { timeout: 400_000 }, async () => {
    const [kafka, clickHouse] = await Promise.all([startKafkaBroker(), startClickHouse()]);
    try {
      const blows: Blow[] = ['kill engine', 'kill', 'kill broker'];
      const result = await runOracle({ seed: 7, records: 6000, partitions: 4, processes: 2, blows, kafka, clickHouse });
      expectExactlyOnce(result);
    } finally {
      await Promise.all([kafka.stop(), clickHouse.stop()]);
    }
  });
});
