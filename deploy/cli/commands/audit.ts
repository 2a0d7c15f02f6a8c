import { type Command, InvalidArgumentError } from 'commander';
import { type ExpectedEntry, verifyAuditLog } from '#api/audit/verify.ts';
import type { AuditVerificationBody } from '#schemas/api/audit-log.ts';
import { findLocalServer } from '../../local-server.ts';
import { usageError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { withDatabase } from '../with-database.ts';

interface VerifyOptions {
  readonly expect?: ExpectedEntry;
  readonly direct?: boolean;
}

const FAULTS: Readonly<Record<NonNullable<AuditVerificationBody['broken']>['fault'], string>> = {
  altered: 'was altered',
  missing: 'is missing',
  unlinked: 'does not follow the entry before it',
  unexpected: 'is not the one that was written there',
};

export function registerAudit(program: Command, context: CommandContext): void {
  const group = program.command('audit').description('verify that the audit log was not altered');
  group
    .command('verify')
    .description('verify all entries; exit code 1 and the first entry that was altered, removed or moved, if any')
    .option('--expect <id:hash>', 'entry and hash recorded elsewhere, such as in the SIEM file', readExpected)
    .option('--direct', 'read the database of DATABASE_URL even if a server is running')
    .action(async (options: VerifyOptions) => {
      const { verified, head, broken } = await verify(context, options);
      await context.write(`${JSON.stringify({ verified, head, broken })}\n`);
      if (broken !== null) {
        context.note(`entry ${broken.id} ${FAULTS[broken.fault]}; the ${verified} before it are unchanged`);
        context.setExitCode(1);
      } else {
        context.note(
          head.id === 0
            ? 'the audit log is empty'
            : `all ${verified} entries are unchanged; to detect a later rewrite of the whole log, keep ${head.id}:${head.hash} in another place and verify with --expect`,
        );
      }
    });
}

/** Verifies the audit log through the running server. Without one, or with `direct`, verifies it in the database. */
async function verify(
  context: CommandContext,
  { expect, direct = false }: VerifyOptions,
): Promise<AuditVerificationBody> {
  const { server, dataDir, postgres } = await context.config();
  const served = !direct && (server.url ?? (await findLocalServer(dataDir))?.url) !== undefined;
  if (served || (!direct && postgres.directUrl === undefined)) {
    const query = expect === undefined ? '' : `?expect=${expect.id}:${expect.hash}`;
    const connection = await context.server();
    return (await connection.request(`/api/admin/audit-log/verify${query}`)).json() as Promise<AuditVerificationBody>;
  }
  if (postgres.directUrl === undefined) throw usageError('--direct needs DATABASE_URL');
  return verifyDirectly(postgres.directUrl, expect);
}

async function verifyDirectly(url: string, expect: ExpectedEntry | undefined): Promise<AuditVerificationBody> {
  const { broken, ...verification } = await withDatabase(url, (database) => verifyAuditLog(database, expect));
  return { ...verification, broken: broken ?? null };
}

function readExpected(text: string): ExpectedEntry {
  const [, id, hash] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text) ?? [];
  if (id === undefined || hash === undefined)
    throw new InvalidArgumentError('Must be the id of an entry, a colon and its hash in hexadecimal.');
  return { id: Number(id), hash: hash.toLowerCase() };
}
