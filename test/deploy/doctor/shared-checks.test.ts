import { afterAll, expect, it } from 'vitest';
import { Redis } from '#api/shared-state/ioredis.ts';
import { groupSettings } from '#deploy/config/config.ts';
import { settingsSchema } from '#deploy/config/schema.ts';
import { sharedChecks } from '#deploy/doctor/shared-checks.ts';
import { RIGHTS } from '#test/support/services/redis-servers.ts';
import { randomName, useRedis } from '#test/support/use-services.ts';

const { url } = await useRedis();
const redis = new Redis(url);
const users: string[] = [];
afterAll(async () => {
  for (const user of users) await redis.call('ACL', 'DELUSER', user);
  redis.disconnect();
});

/** Returns the result of doctor's check of shared limits with this Redis. */
async function limitsWith(REDIS_URL: string) {
  const config = groupSettings(
    settingsSchema.parse({ DATABASE_URL: 'postgres://127.0.0.1:1/none', REDIS_URL }),
    () => true,
  );
  const check = sharedChecks(config).find(({ name }) => name === 'shared limits');
  return await check?.run();
}

async function userWith(rights: string): Promise<string> {
  const user = randomName('user');
  users.push(user);
  await redis.call('ACL', 'SETUSER', user, 'on', '>secret', ...rights.split(' '));
  return url.replace('redis://', `redis://${user}:secret@`);
}

it('accepts the documented rights', async () => {
  expect(await limitsWith(await userWith(RIGHTS))).toMatchObject({ state: 'fine' });
});

it('names a missing right', async () => {
  const finding = await limitsWith(await userWith(RIGHTS.replace(' &trapline:*', '')));
  expect(JSON.stringify(finding)).toMatch(/NOPERM/);
});

it('reports why Redis is unavailable', async () => {
  expect(JSON.stringify(await limitsWith('redis://127.0.0.1:1'))).toMatch(/Redis is unavailable: .*ECONNREFUSED/);
});
