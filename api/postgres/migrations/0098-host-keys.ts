import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Keys of enrolled hosts belong to their host and to no user, so that they go on when an account ends. They do not count towards a quota.
 * A token no longer names the user that the key will belong to, but the administrator who made it. Detectors report what they could not deliver.
 */
export const hostKeys: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      ALTER TABLE api_keys ALTER user_id DROP NOT NULL,
        ADD hostname text CHECK (length(hostname) BETWEEN 1 AND 253)`.execute(db);
    await sql`
      SELECT note_usage(k.user_id, 'api_keys', -count(*)) FROM api_keys AS k JOIN detectors USING (key_id)
        GROUP BY k.user_id`.execute(db);
    await sql`
      UPDATE api_keys AS k SET user_id = NULL, hostname = d.hostname FROM detectors AS d WHERE d.key_id = k.key_id`.execute(
      db,
    );
    await sql`ALTER TABLE api_keys ADD CHECK (num_nonnulls(user_id, hostname) = 1)`.execute(db);
    await sql`ALTER TABLE detector_tokens ALTER owner_id DROP NOT NULL`.execute(db);
    await sql`
      ALTER TABLE detectors ADD refused_events bigint CHECK (refused_events >= 0),
        ADD dropped_events bigint CHECK (dropped_events >= 0)`.execute(db);
  },
};
