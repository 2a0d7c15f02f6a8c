import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { ProviderSession, SignInProvider } from '#api/accounts/oauth/provider.ts';
import { createProviderSignOut, createSealProviderSession } from '#api/accounts/oauth/provider-sign-out.ts';
import { totpContext } from '#api/accounts/second-factor/check-code.ts';
import { insertSession, takeSession } from '#api/accounts/tables/sessions.ts';
import { findTotpSecret, putTotpSecret } from '#api/accounts/tables/totp-secrets.ts';
import { createAudit } from '#api/audit/audit.ts';
import { countSealed, reseal } from '#api/executions/secrets/reseal.ts';
import { createSeal } from '#api/executions/secrets/seal.ts';
import { createSecrets, SEALED_SECRETS } from '#api/executions/secrets/secrets.ts';
import { openSecrets, secretsContext } from '#api/outputs/open-output.ts';
import { findOutput, insertOutput } from '#api/outputs/tables/outputs.ts';
import { webhookOf } from '#api/workflows/tables/workflow-triggers.ts';
import { createWebhooks, SEALED_WEBHOOK_SECRETS } from '#api/workflows/triggers/webhooks.ts';
import { SEALED_COLUMNS } from '#deploy/sealed-columns.ts';
import { insertUser } from '#test/api/accounts/keys/key-fixture.ts';
import { release, scheduled, triggerDeps } from '#test/api/workflows/triggers/trigger-fixture.ts';
import { usePostgres } from '#test/support/use-services.ts';

const OLD = 'an old secret of the tests, of 32 characters';
const NEW = 'a new secret of the tests, of 32 characters';
const { database } = await usePostgres();
const audit = createAudit();
const origin = { ip: '127.0.0.1', userAgent: 'test', requestId: 'test' };

test('more secrets than a batch has are encrypted again; the rest of a row is unchanged', async () => {
  const owner = randomUUID();
  const { seal } = createSeal([OLD]);
  const names = Array.from({ length: 450 }, (_, index) => `name-${index}`);
  const rows = names.map((name) => ({ owner, name, sealed: seal(`value of ${name}`, `${owner}/${name}`) }));
  await database
    .insertInto('executionSecrets')
    .values(rows.map((row) => ({ ...row, hosts: ['example.org'] })))
    .execute();
  const foreign = createSeal(['a third secret of the tests, of 32 characters']).seal('x', `${owner}/lost`);
  await sql`INSERT INTO execution_secrets (owner, name, sealed) VALUES (${owner}, 'lost', ${foreign})`.execute(
    database,
  );

  expect(await reseal({ database, audit }, [SEALED_SECRETS], [NEW, OLD])).toEqual([
    { values: SEALED_SECRETS.values, resealed: 450, unreadableCount: 1, unreadable: [`${owner}/lost`] },
  ]);
  const after = createSecrets({ database, audit }, { secrets: [NEW] });
  const values = await after.read(owner, names);
  expect(values.size).toBe(450);
  expect(values.get('name-449')).toEqual({ value: 'value of name-449', hosts: ['example.org'] });
  expect(await countSealed(database, [SEALED_SECRETS], [NEW, OLD])).toEqual([
    { values: SEALED_SECRETS.values, current: 450, older: 0, unknown: 1 },
  ]);
  // A second run finds nothing to do.
  expect(await reseal({ database, audit }, [SEALED_SECRETS], [NEW, OLD])).toMatchObject([{ resealed: 0 }]);
});

test('every declared column exists, and every other column of bytes holds hashes, keys or salts', async () => {
  const { rows } = await sql<{ name: string }>`
    SELECT c.table_name || '.' || c.column_name AS name FROM information_schema.columns c
      JOIN information_schema.tables t USING (table_schema, table_name)
     WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.data_type = 'bytea'`.execute(
    database,
  );
  const sealed = SEALED_COLUMNS.map(({ table, column }) => `${table}.${column}`);
  const found = rows.map(({ name }) => name);
  expect(found).toEqual(expect.arrayContaining(sealed));
  expect(found.filter((name) => !sealed.includes(name) && !/(hash|salt|public_key)$/.test(name))).toEqual([]);
  await expect(reseal({ database, audit }, SEALED_COLUMNS, [NEW, OLD])).resolves.toHaveLength(sealed.length);
});

test('the values of every subject are found, and their subjects read them with the new secret alone', async () => {
  const [before, after] = [createSeal([OLD]), createSeal([NEW])];
  const user = await insertUser(database, { role: 'admin' });
  await putTotpSecret(database, user.id, before.seal('JBSWY3DP', totpContext(user.id)));
  const outputId = `out_${randomUUID().replaceAll('-', '')}`;
  const output = await insertOutput(database, {
    ...{ id: outputId, name: 'out', type: 'webhook', enabled: false, settings: {}, filter: {} },
    ...{ secrets: before.seal('{"signingKey":"k"}', secretsContext(outputId)), secretNames: ['signingKey'] },
    createdBy: 'operator',
  });
  const providerSession = createSealProviderSession({ seal: before })('sso', { idToken: 'e' });
  const signIn = { userId: user.id, ip: '127.0.0.1', userAgent: 'test', secondFactor: false, providerSession };
  const { id: session } = await insertSession(database, { ...signIn, seconds: 60 });
  const deps = triggerDeps(database);
  onTestFinished(() => deps.close());
  const { workflowId } = await release(database, scheduled(undefined), { ownerId: user.id });
  const workflow = await database
    .selectFrom('workflows')
    .selectAll()
    .where('id', '=', workflowId)
    .executeTakeFirstOrThrow();
  const { secret } = await createWebhooks({ ...deps, audit, seal: before }).open(workflow, {
    actor: 'operator',
    origin,
  });

  const results = await reseal({ database, audit }, SEALED_COLUMNS, [NEW, OLD]);
  const found = Object.fromEntries(results.map(({ values, resealed }) => [values, resealed]));
  expect(found).toMatchObject({
    'secrets of outputs': 1,
    'secrets of webhooks': 1,
    'authenticator apps': 1,
    'sessions at identity providers': 1,
  });
  const stored = await findOutput(database, output.id);
  expect(openSecrets(after, stored ?? output)).toEqual({ signingKey: 'k' });
  const totp = await findTotpSecret(database, user.id);
  expect(after.open(totp?.secret ?? Buffer.alloc(0), totpContext(user.id))).toBe('JBSWY3DP');
  const ended = await takeSession(database, session);
  const provider = {
    id: 'sso',
    signOutUrl: async ({ idToken }: ProviderSession) => new URL(`https://sso.example/${idToken}`),
  };
  const signOut = createProviderSignOut({
    ...{ providers: [provider as unknown as SignInProvider], seal: after, logger: { warn: () => {} } },
    publicUrl: () => 'https://trapline.example',
  });
  expect(await signOut(ended?.providerSession ?? Buffer.alloc(0))).toBe('https://sso.example/e');
  const trigger = await webhookOf(database, workflow.slug);
  expect(
    after.open(trigger?.secret ?? Buffer.alloc(0), SEALED_WEBHOOK_SECRETS.contextOf([workflowId, 'webhook'])),
  ).toBe(secret);
});
