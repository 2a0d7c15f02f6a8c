import { Argument, type Command, Option } from 'commander';
import { emailSchema, usernameSchema } from '#schemas/api/account-fields.ts';
import { ROLES, type Role } from '#schemas/api/roles.ts';
import { withAccounts } from '../accounts/accounts.ts';
import type { AccountChange } from '../accounts/port.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';

interface CreateOptions {
  readonly email: string;
  readonly username: string;
  readonly role: Role;
  readonly emailVerified?: boolean;
}

const NO_LINK = 'the password link needs the address of the server: set AUTH_URL, or start the server';

export function registerUsers(program: Command, context: CommandContext): void {
  const group = program.command('users').description('make, list and change accounts; prints JSON');
  const print = (value: object) => context.write(`${JSON.stringify(value)}\n`);

  group
    .command('create')
    .description('make an account, with a link by which its owner sets the password')
    .requiredOption('--email <address>', 'where mails go; unique')
    .requiredOption('--username <name>', '3 to 32 letters, digits, - and _; unique')
    .addOption(new Option('--role <role>', 'what the user may do').choices(ROLES).default('user'))
    .option('--email-verified', 'you know that the address is theirs: a provider with that address may sign them in')
    .action(async ({ email, username, role, emailVerified = false }: CreateOptions) => {
      if (!emailSchema.safeParse(email).success) throw usageError(`--email: ${email} is not an e-mail address`);
      if (!usernameSchema.safeParse(username).success)
        throw usageError('--username: 3 to 32 letters, digits, - and _ are expected');
      const user = { email: email.toLowerCase(), username, role, emailVerified };
      const made = await withAccounts(context, async (accounts) => {
        const created = await accounts.createUser(user);
        const link = await accounts.createPasswordLink(created.id);
        if (link === undefined) context.note(NO_LINK);
        return link === undefined ? created : { ...created, passwordLink: link };
      });
      await print(made);
    });

  group
    .command('list')
    .description('all accounts, the oldest first')
    .action(async () => {
      await print({ data: await withAccounts(context, (accounts) => accounts.listUsers()) });
    });

  const change = (name: string, description: string) =>
    group.command(name).description(description).argument('<email>', "the user's address");
  const apply = async (email: string, wanted: AccountChange) => {
    const changed = await withAccounts(context, async (accounts) =>
      accounts.changeUser(await accounts.userIdOf(email), wanted),
    );
    await print(changed);
  };
  change('disable', 'end all sessions of a user and refuse the keys').action((email: string) =>
    apply(email, { disabled: true }),
  );
  change('password-link', 'create a link by which the user sets a password, once and within 60 minutes').action(
    async (email: string) => {
      const link = await withAccounts(context, async (accounts) =>
        accounts.createPasswordLink(await accounts.userIdOf(email)),
      );
      if (link === undefined) throw usageError(NO_LINK);
      await print(link);
    },
  );
  change('enable', 'let a user in again, also one that is locked out').action((email: string) =>
    apply(email, { disabled: false }),
  );
  change('set-role', 'change what a user may do')
    .addArgument(new Argument('<role>', 'the new role').choices(ROLES))
    .action((email: string, role: Role) => apply(email, { role }));
}
