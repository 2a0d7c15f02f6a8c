import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type ClickHouse, createClickHouse } from '#analytics/clickhouse/client.ts';
import { createEventProducer } from '#ingest/kafka/producer.ts';
import { TOPICS } from '#schemas/topics.ts';
import { clusterSettings } from '#test/support/cluster-settings.ts';
import { QUIET_LOG } from '#test/support/quiet-log.ts';
import { sharedSecrets } from '#test/support/shared-secrets.ts';
import { useClickHouse, useKafka, usePostgres } from '#test/support/use-services.ts';
import { waitFor } from '#test/support/wait-for.ts';
import {
  changeSomething,
  countOf,
  crash,
  detectionsOf,
  endServices,
  inHome,
  start,
  trapline,
} from './backup-services.ts';

/**
 * Tests `trapline backup` while events arrive, and `trapline restore` into empty stores. backup.long.test.ts tests the
 * embedded engines.
 */

describe('on servers', () => {
  it('a backup under load is restored, and Kafka delivers the later events', { timeout: 300_000 }, async () => {
    const [kafka, clickhouse, empty, original, fresh] = await Promise.all([
      useKafka(),
      useClickHouse(),
      useClickHouse(),
      usePostgres({ migrated: false }),
      usePostgres({ migrated: false }),
    ]);
    const producer = createEventProducer({ log: QUIET_LOG }, { connection: { brokers: kafka.brokers } });
    const [first, second] = [createClickHouse(clickhouse), createClickHouse(empty)];
    try {
      const shared = {
        ...(await clusterSettings(kafka, clickhouse)),
        ...sharedSecrets(),
      };
      const topic = shared.TRAPLINE_TOPIC_PREFIX + TOPICS.events;
      const before = { ...shared, DATABASE_URL: original.url };
      const after = { ...shared, DATABASE_URL: fresh.url, CLICKHOUSE_DATABASE: empty.database };
      const service = await start(before, inHome('before'));
      await changeSomething(service, before);

      let sent = 0;
      const send = async (events: number) => {
        const messages = Array.from({ length: events }, () => ({ key: 'key', value: crash(sent++) }));
        await producer.send(topic, messages);
      };
      await send(300);
      await waitFor('the first events', async () => (await countOf(first)).rows >= 300);
      const examined = await trapline(['doctor', '--cluster', '--output', 'json'], {
        ...before,
        TRAPLINE_DATA_DIR: service.dataDir,
      });
      const checks = JSON.parse(examined.text) as { check: string; state: string; found: string }[];
      const found = (name: string) => checks.find(({ check }) => check === name);
      expect(found('processes')).toMatchObject({ state: 'fine', found: '1 start' });
      expect(found('secrets of processes')).toMatchObject({ state: 'fine', found: 'the same in all of 1' });
      expect(found('versions of processes')).toMatchObject({ state: 'fine' });
      expect(found('Kafka lag by partition')?.found).toContain('in 2 partitions');
      expect(found('TLS certificates')).toMatchObject({ state: 'fine', found: 'no connection uses TLS' });

      let traffic = true;
      const sending = (async () => {
        while (traffic) await send(10).then(() => pause(20));
      })();
      const folder = inHome('backup');
      const dataDir = service.dataDir;
      const destination = `file:${await backupFolderOf(first)}/${clickhouse.database}`;
      const taken = await trapline(['backup', folder, '--clickhouse-to', destination], {
        ...before,
        TRAPLINE_DATA_DIR: dataDir,
      });
      traffic = false;
      await sending;
      expect(taken).toMatchObject({ code: 0, text: expect.stringContaining('The secrets are not in it') });
      await send(100);
      await waitFor('all events', async () => (await countOf(first)).rows === sent);
      await service.stop(60_000);

      const target = { ...after, TRAPLINE_DATA_DIR: inHome('after', 'data') };
      const otherSecret = await trapline(['restore', folder], { ...target, ...sharedSecrets() });
      expect(otherSecret).toMatchObject({ code: 2, text: expect.stringContaining('AUTH_SECRET is not the one') });
      const restored = await trapline(['restore', folder, '--verify'], target);
      expect(restored.text).toContain('restored and verified');
      expect(restored.text).toMatch(/audit log: [1-9]\d* entries, the chain is whole/);
      expect(restored.text).toContain(`Kafka: the group ${shared.TRAPLINE_GROUP_ID} continues in ${topic}`);
      const inBackup = await countOf(second);
      expect(inBackup.rows).toBeGreaterThanOrEqual(300);
      expect(inBackup.rows).toBeLessThan(sent);
      expect(await trapline(['restore', folder], target)).toMatchObject({
        code: 1,
        text: expect.stringContaining('--replace deletes them'),
      });

      await start(after, inHome('after'));
      await waitFor('the events after the backup', async () => (await countOf(second)).rows >= sent);
      expect(await countOf(second)).toEqual({ rows: sent, numbers: sent });
      const stored = await waitFor('the same detections', async () => {
        const [one, other] = await Promise.all([detectionsOf(first), detectionsOf(second)]);
        return JSON.stringify(one) === JSON.stringify(other) && one;
      });
      expect(stored.length).toBeGreaterThan(0);
    } finally {
      await Promise.all([first.close(), second.close(), producer.close()]);
      await endServices();
    }
  });
});

/** Returns the path of the folder that the ClickHouse server may write backups to. */
async function backupFolderOf(clickhouse: ClickHouse): Promise<string> {
  const [disk] = await clickhouse.rows<{ path: string }>('find its disk', 'SELECT path FROM system.disks LIMIT 1');
  return `${disk?.path}backups`;
}
