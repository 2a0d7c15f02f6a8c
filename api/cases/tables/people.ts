import { sql } from 'kysely';
import type { Db } from '#api/postgres/database.ts';
import type { NotificationSettings } from '#schemas/api/comments.ts';

declare module '#api/postgres/database.ts' {
  interface Tables {
    notificationSettings: NotificationSettingsTable;
  }
}

/** Mails that a user has enabled. Without a row, all are sent. */
export interface NotificationSettingsTable extends NotificationSettings {
  userId: string;
}

const ALL: NotificationSettings = { mentions: true, assignments: true };

/** An account that may work on detections and cases. */
export interface Person {
  readonly username: string;
  readonly email: string;
  readonly role: 'analyst' | 'admin';
}

/** Returns enabled analysts and administrators whose name or address contains the text. Names that begin with it come first. */
export async function searchPeople(db: Db, text: string, limit: number): Promise<Person[]> {
  const { rows } = await sql<Person>`
    SELECT username, email, role FROM users
    WHERE role IN ('analyst', 'admin') AND NOT disabled AND (end_date IS NULL OR end_date > now())
      AND (strpos(lower(username), lower(${text})) > 0 OR strpos(email, lower(${text})) > 0)
    ORDER BY strpos(lower(username), lower(${text})) <> 1, lower(username) LIMIT ${limit}`.execute(db);
  return rows;
}

/** Returns the ids of enabled analysts and administrators with these names; case is ignored. */
export async function analystIds(db: Db, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return [];
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM users
    WHERE lower(username) = ANY(${names.map((name) => name.toLowerCase())}) AND role IN ('analyst', 'admin')
      AND NOT disabled AND (end_date IS NULL OR end_date > now())`.execute(db);
  return rows.map(({ id }) => id);
}

export async function findNotificationSettings(db: Db, userId: string): Promise<NotificationSettings> {
  const row = await db
    .selectFrom('notificationSettings')
    .select(['mentions', 'assignments'])
    .where('userId', '=', userId)
    .executeTakeFirst();
  return row ?? ALL;
}

export async function saveNotificationSettings(
  db: Db,
  userId: string,
  { mentions, assignments }: NotificationSettings,
): Promise<void> {
  await db
    .insertInto('notificationSettings')
    .values({ userId, mentions, assignments })
    .onConflict((conflict) => conflict.column('userId').doUpdateSet({ mentions, assignments }))
    .execute();
}

/** Returns the account that receives a mail of this kind. Undefined if it is disabled, or has disabled such mails. */
export async function recipient(
  db: Db,
  userId: string,
  kind: keyof NotificationSettings,
): Promise<{ readonly email: string; readonly username: string } | undefined> {
  const { rows } = await sql<{ email: string; username: string } & NotificationSettings>`
    SELECT email, username, coalesce(mentions, true) AS mentions, coalesce(assignments, true) AS assignments
    FROM users LEFT JOIN notification_settings ON user_id = id
    WHERE id = ${userId}::uuid AND role IN ('analyst', 'admin') AND NOT disabled
      AND (end_date IS NULL OR end_date > now())`.execute(db);
  const [row] = rows;
  return row?.[kind] === true ? { email: row.email, username: row.username } : undefined;
}
