import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { Role } from '#schemas/api/roles.ts';
import type { User } from './users.ts';

/** The columns that administrators see: all except the password hash. */
const VIEW = [
  'id',
  'username',
  'email',
  'image',
  'role',
  'disabled',
  'endDate',
  'emailVerified',
  'failedLoginAttempts',
  'lockUntil',
  'createdAt',
  'updatedAt',
] as const;
export type AdministeredUser = Pick<User, (typeof VIEW)[number]>;

export interface UserFilters {
  /** Part of the name or the address; case is ignored. */
  readonly q?: string | undefined;
  readonly role?: readonly Role[] | undefined;
  readonly disabled?: boolean | undefined;
}

/** Lists users, oldest first. `total` counts all users that match the filters, on all pages. */
export async function listUsers(
  db: Db,
  { q, role, disabled }: UserFilters,
  page: { readonly limit: number; readonly offset: number },
): Promise<{ rows: AdministeredUser[]; total: number }> {
  const pattern = `%${(q ?? '').replace(/[\\%_]/g, '\\$&')}%`;
  const chosen = db
    .selectFrom('users')
    .$if(q !== undefined, (query) =>
      query.where(({ eb, or }) => or([eb('username', 'ilike', pattern), eb('email', 'ilike', pattern)])),
    )
    .$if(role !== undefined, (query) => query.where('role', 'in', [...(role ?? [])]))
    .$if(disabled !== undefined, (query) => query.where('disabled', '=', disabled as boolean));
  const [rows, counted] = await Promise.all([
    chosen.select(VIEW).orderBy('createdAt').orderBy('id').limit(page.limit).offset(page.offset).execute(),
    chosen.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total: counted.total };
}

export function findUser(db: Db, id: string): Promise<AdministeredUser | undefined> {
  return db.selectFrom('users').select(VIEW).where('id', '=', id).executeTakeFirst();
}

/** Returns the account, locked until the transaction ends. */
export function lockUser(transaction: Db, id: string): Promise<AdministeredUser | undefined> {
  return transaction.selectFrom('users').select(VIEW).where('id', '=', id).forUpdate().executeTakeFirst();
}

export function updateUser(
  transaction: Db,
  id: string,
  change: Partial<Pick<User, 'role' | 'disabled' | 'endDate' | 'failedLoginAttempts' | 'lockUntil'>>,
): Promise<AdministeredUser> {
  return transaction
    .updateTable('users')
    .set({ ...change, updatedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .returning(VIEW)
    .executeTakeFirstOrThrow();
}

/** Serialises transactions that remove administrators. Otherwise two of them could each keep the other's and leave none. */
export async function lockAdministrators(transaction: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('trapline administrators'))`.execute(transaction);
}

/** Returns the number of active administrators, and of those without an end date. */
export async function countAdministrators(db: Db): Promise<{ now: number; lasting: number }> {
  return db
    .selectFrom('users')
    .where('role', '=', 'admin')
    .where('disabled', '=', false)
    .select([
      sql<number>`count(*) FILTER (WHERE end_date IS NULL OR end_date > now())`.as('now'),
      sql<number>`count(*) FILTER (WHERE end_date IS NULL)`.as('lasting'),
    ])
    .executeTakeFirstOrThrow();
}
