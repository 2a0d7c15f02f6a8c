import { it } from 'vitest';
import { useKafka, useSharedClickHouse } from '#test/support/use-services.ts';
import { expectExactlyOnce } from './expect-exactly-once.ts';
import { type Blow, runOracle } from './oracle.ts';

/**
 * Sends numbered events through real Kafka into real ClickHouse. oracle.long.test.ts also restarts the stores, and `npm
 * run soak` runs random combinations of faults in hundreds of runs.
 */
it('stores each event once while processes are killed, frozen and stopped (seed 301)', {
  timeout: 300_000,
}, async () => {
  const [kafka, clickHouse] = await Promise.all([useKafka(), useSharedClickHouse()]);
  const blows: Blow[] = ['kill', 'freeze', 'leave'];
  expectExactlyOnce(
    await runOracle({ seed: 301, records: 6000, partitions: 4, processes: 2, blows, kafka, clickHouse }),
  );
});
