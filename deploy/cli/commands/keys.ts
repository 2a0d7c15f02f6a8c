import type { Command } from 'commander';
import { type NewApiKeyBody, newApiKeySchema } from '#schemas/api/api-keys.ts';
import { SCOPE_NAMES } from '#schemas/api/roles.ts';
import { withAccounts } from '../accounts/accounts.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';

interface CreateOptions {
  readonly email: string;
  readonly name: string;
  readonly scopes?: string;
  readonly expires?: string;
}

export function registerKeys(program: Command, context: CommandContext): void {
  const group = program.command('keys').description('create, list and revoke API keys of users; prints JSON');
  const print = (value: object) => context.write(`${JSON.stringify(value)}\n`);

  group
    .command('create')
    .description('create a key; it is printed once and cannot be shown again')
    .requiredOption('--email <address>', 'e-mail address of the owner')
    .requiredOption('--name <label>', 'a name to recognise the key by')
    .option(
      '--scopes <list>',
      `what it may do, joined by commas (default: all the user may): ${SCOPE_NAMES.join(', ')}`,
    )
    .option('--expires <time>', 'when it ends, such as 2030-01-31T00:00:00Z (default: never)')
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
    .command('revoke')
    .description('revoke a key for good')
    .argument('<keyId>', 'the part before the dot of the key')
    .action(async (keyId: string) => {
      // A user who pastes the whole key means its id; the secret is not sent.
      const id = keyId.split('.', 1)[0] ?? '';
      await withAccounts(context, (accounts) => accounts.revokeKey(id));
      await print({ keyId: id, revoked: true });
    });
}

function wantedKey({ name, scopes, expires }: CreateOptions): NewApiKeyBody {
  const wanted = newApiKeySchema.safeParse({
    label: name,
    ...(scopes === undefined ? {} : { scopes: scopes.split(',').map((scope) => scope.trim()) }),
    ...(expires === undefined ? {} : { expiresAt: expires }),
  });
  if (wanted.success) return wanted.data;
  const options: Readonly<Record<string, string>> = { label: '--name', scopes: '--scopes', expiresAt: '--expires' };
  throw usageError(
    wanted.error.issues.map(({ path, message }) => `${options[String(path[0])] ?? ''}: ${message}`).join('\n'),
  );
}
