import type { Command } from 'commander';
import type { z } from 'zod';
import { type NewApiKeyBody, newApiKeySchema, rotationSchema } from '#schemas/api/api-keys.ts';
import { SCOPE_NAMES } from '#schemas/api/roles.ts';
import { plainMessage } from '#schemas/plain-message.ts';
import { withAccounts } from '../accounts/accounts.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';

interface CreateOptions {
  readonly email: string;
  readonly name: string;
  readonly scopes?: string;
  readonly expires?: string;
  readonly networks?: string;
  readonly workflows?: string;
  readonly agents?: string;
  readonly requestsPerMinute?: string;
  readonly requestsPerDay?: string;
}

export function registerKeys(program: Command, context: CommandContext): void {
  const group = program.command('keys').description('create, list, rotate and revoke API keys of users; prints JSON');
  const print = (value: object) => context.write(`${JSON.stringify(value)}\n`);

  group
    .command('create')
    .description('create a key; it is printed once and cannot be shown again')
    .requiredOption('--email <address>', 'e-mail address of the owner')
    .requiredOption('--name <label>', 'a name to recognize the key by')
    .option(
      '--scopes <list>',
      `scopes of the key, joined by commas (default: all that the role of the user allows): ${SCOPE_NAMES.join(', ')}`,
    )
    .option('--expires <time>', 'time of expiry, such as 2030-01-31T00:00:00Z (default: never)')
    .option('--networks <list>', 'addresses and networks that may use the key, joined by commas (default: any)')
    .option(
      '--workflows <list>',
      'ids or names of workflows, joined by commas; with --workflows or --agents, the key works for nothing else (default: no restriction)',
    )
    .option('--agents <list>', 'ids or names of agents, joined by commas; see --workflows')
    .option('--requests-per-minute <n>', 'maximum requests in 60 seconds (default: no separate limit)')
    .option('--requests-per-day <n>', 'maximum requests in 24 hours (default: no separate limit)')
    .action(async (options: CreateOptions) => {
      const wanted = wantedKey(options);
      await print(
        await withAccounts(context, async (accounts) =>
          accounts.createKey(await accounts.userIdOf(options.email), wanted),
        ),
      );
    });

  group
    .command('list')
    .description('list the keys of a user, newest first')
    .requiredOption('--email <address>', 'e-mail address of the owner')
    .action(async ({ email }: { email: string }) => {
      await print(await withAccounts(context, async (accounts) => accounts.listKeys(await accounts.userIdOf(email))));
    });

  group
    .command('rotate')
    .description(
      'replace the secret of a key; the new one is printed once, and the previous one stays valid for the overlap',
    )
    .argument('<keyId>', 'part of the key before the dot')
    .option('--overlap <seconds>', 'seconds for which the previous secret stays valid; 0: none (default: one day)')
    .option('--expires <time>', 'new time of expiry, such as 2030-01-31T00:00:00Z (default: unchanged)')
    .action(async (keyId: string, options: { readonly overlap?: string; readonly expires?: string }) => {
      const given = { overlapSeconds: numbered(options.overlap), expiresAt: options.expires };
      const rotation = checked(rotationSchema, given, { overlapSeconds: '--overlap', expiresAt: '--expires' });
      await print(await withAccounts(context, (accounts) => accounts.rotateKey(idOf(keyId), rotation)));
    });

  group
    .command('revoke')
    .description('revoke a key permanently')
    .argument('<keyId>', 'part of the key before the dot')
    .action(async (keyId: string) => {
      const id = idOf(keyId);
      await withAccounts(context, (accounts) => accounts.revokeKey(id));
      await print({ keyId: id, revoked: true });
    });
}

/** Options of `keys create` by the field that each sets. */
const OPTIONS: Readonly<Record<keyof NewApiKeyBody, string>> = {
  label: '--name',
  scopes: '--scopes',
  expiresAt: '--expires',
  networks: '--networks',
  workflows: '--workflows',
  agents: '--agents',
  requestsPerMinute: '--requests-per-minute',
  requestsPerDay: '--requests-per-day',
};

function wantedKey({ name, expires, ...options }: CreateOptions): NewApiKeyBody {
  const given = {
    label: name,
    expiresAt: expires,
    scopes: listed(options.scopes),
    networks: listed(options.networks),
    workflows: listed(options.workflows),
    agents: listed(options.agents),
    requestsPerMinute: numbered(options.requestsPerMinute),
    requestsPerDay: numbered(options.requestsPerDay),
  };
  return checked(newApiKeySchema, given, OPTIONS);
}

/** Returns the values if they satisfy the schema. `options` names the option of each field for the error. */
function checked<T>(schema: z.ZodType<T>, given: object, options: Readonly<Record<string, string>>): T {
  const wanted = schema.safeParse(given, { error: plainMessage });
  if (wanted.success) return wanted.data;
  throw usageError(
    wanted.error.issues.map(({ path, message }) => `${options[String(path[0])] ?? ''}: ${message}`).join('\n'),
  );
}

/** A user may paste the whole key instead of its id. The secret part is not sent. */
function idOf(key: string): string {
  return key.split('.', 1)[0] ?? '';
}

function listed(text: string | undefined): string[] | undefined {
  return text?.split(',').map((part) => part.trim());
}

function numbered(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}
