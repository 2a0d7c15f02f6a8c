import { type Command, Option } from 'commander';
import { emailSchema, usernameSchema } from '#schemas/api/account-fields.ts';
import { ROLES, type Role } from '#schemas/api/roles.ts';
import { withAccounts } from '../accounts/accounts.ts';
import { findUserId } from '../accounts/over-http.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';

interface CreateOptions {
  readonly email: string;
  readonly username: string;
  readonly role: Role;
  readonly emailVerified?: boolean;
}

/** Users of one page of a list; the most the API gives at once. */
const PAGE = 100;

export function registerUsers(program: Command, context: CommandContext): void {
  const group = program.command('users').description('make, list and change accounts; prints JSON');
  const print = (value: object) => context.write(`${JSON.stringify(value)}\n`);

  group
    .command('create')
    .description('make an account; its owner sets the password by "forgot password", or signs in with a provider')
    .requiredOption('--email <address>', 'where mails go; unique')
    .requiredOption('--username <name>', '3 to 32 letters, digits, - and _; unique')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).default('user'))
    .option('--email-verified', 'you know that the address is theirs: a provider with that address may sign them in')
    .action(async ({ email, username, role, emailVerified = false }: CreateOptions) => {
      if (!emailSchema.safeParse(email).success) throw usageError(`--email: ${email} is no e-mail address`);
      if (!usernameSchema.safeParse(username).success)
        throw usageError('--username: 3 to 32 letters, digits, - and _ are expected');
      const user = { email: email.toLowerCase(), username, role, emailVerified };
      await print(await withAccounts(context, (accounts) => accounts.createUser(user)));
    });

  group
    .command('list')
    .description('all accounts of a running server')
    .action(async () => {
      await print({ data: await allUsers(context) });
    });

  const change = (name: string, description: string) =>
    group.command(name).description(description).argument('<email>', "the user's address");
  change('disable', 'end all sessions of a user and refuse the keys').action(async (email: string) => {
    await print(await changed(context, email, '/disable', 'POST'));
  });
  change('enable', 'let a user in again, also one that is locked out').action(async (email: string) => {
    await print(await changed(context, email, '/enable', 'POST'));
  });
  change('set-role', 'change what a user may do')
    .addArgument(group.createArgument('<role>', 'the new role').choices(ROLES))
    .action(async (email: string, role: Role) => {
      await print(await changed(context, email, '', 'PATCH', { role }));
    });
}

async function allUsers(context: CommandContext): Promise<object[]> {
  const server = await context.server();
  const users: object[] = [];
  for (;;) {
    const response = await server.request(`/api/admin/users?limit=${PAGE}&offset=${users.length}`);
    const { data, total } = (await response.json()) as { data: object[]; total: number };
    users.push(...data);
    if (data.length === 0 || users.length >= total) return users;
  }
}

async function changed(
  context: CommandContext,
  email: string,
  path: string,
  method: string,
  body?: object,
): Promise<object> {
  const server = await context.server();
  const id = await findUserId(server, email);
  const response = await server.request(`/api/admin/users/${id}${path}`, {
    method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  return (await response.json()) as object;
}
