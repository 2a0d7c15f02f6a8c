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
  const group = program.command('users').description('create, list and change user accounts; prints JSON');
  const print = (value: object) => context.write(`${JSON.stringify(value)}\n`);

  group
    .command('create')
    .description('create an account and print a link to set its password')
    .requiredOption('--email <address>', 'e-mail address for sign-in and mails; unique')
    .requiredOption('--username <name>', '3 to 32 letters, digits, - and _; unique')
    .addOption(new Option('--role <role>', 'role of the user').choices(ROLES).default('user'))
    .option('--email-verified', 'the address is verified: an identity provider that reports it may sign the user in')
    .action(async ({ email, username, role, emailVerified = false }: CreateOptions) => {
      if (!emailSchema.safeParse(email).success) throw usageError(`--email: ${email} is not an e-mail address`);
      if (!usernameSchema.safeParse(username).success)
        throw usageError('--username: must be 3 to 32 letters, digits, - and _');
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
    .description('list all accounts, oldest first')
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
  change('disable', 'disable an account: end its sessions and refuse its keys').action((email: string) =>
    apply(email, { disabled: true }),
  );
  change('password-link', 'create a link to set the password, valid once and for 60 minutes').action(
    async (email: string) => {
      const link = await withAccounts(context, async (accounts) =>
        accounts.createPasswordLink(await accounts.userIdOf(email)),
      );
      if (link === undefined) throw usageError(NO_LINK);
      await print(link);
    },
  );
  change('enable', 'enable a disabled or locked account').action((email: string) => apply(email, { disabled: false }));
  change('set-role', 'change the role of a user')
    .addArgument(new Argument('<role>', 'the new role').choices(ROLES))
    .action((email: string, role: Role) => apply(email, { role }));
}
