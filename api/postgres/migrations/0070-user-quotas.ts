import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Quotas of users. The database counts what each user keeps and refuses what goes beyond, whichever process writes it: triggers charge an
 * insert and release a deletion.
 *
 * What a user has of a resource is the sum of sixteen rows, one for each class of connections, so that requests of one user do not wait for
 * each other. Each row has a cap. Invariant: no charge takes a row above its cap, and the caps of a user and resource add up to the quota at
 * most. A charge that does not fit into its row takes spare cap from other rows, without waiting for rows that are locked: so two charges
 * cannot block each other, and together cannot exceed the quota. It is refused when no row has spare cap.
 *
 * `settle_usage` locks all rows of a user and resource. A charge holds its own row while it looks for spare cap in others: without
 * more, each of the two would wait for rows of the other. An advisory lock keeps them apart: charges share it, `settle_usage` has it alone.
 *
 * Releases, and charges that must not be refused, are noted in rows of their own, which block no other transaction. `settle_usage` adds them up and sets
 * the caps by the quota of that moment; a charge that does not fit adds them up as well before it is refused.
 */
export const userQuotas: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    for (const statement of [...TABLES, ...FUNCTIONS]) await sql.raw(statement).execute(db);
  },
};

const SHARDS = 16;
/** Of a charge that does not fit while other transactions hold what is left; they end within milliseconds. */
const PATIENCE = '5 seconds';

/** Keeps charges and `settle_usage` apart. Held until the transaction ends. */
const lockUsage = (mode: '' | '_shared') =>
  `PERFORM pg_advisory_xact_lock${mode}(hashtext('user_usage'), hashtext(owner::text || of_resource));`;

const TABLES = [
  // null: unlimited. A resource that has no row here is unlimited for everyone.
  `CREATE TABLE quota_defaults (
    resource text PRIMARY KEY,
    quota bigint CHECK (quota >= 0),
    administrator_quota bigint CHECK (administrator_quota >= 0)
  )`,
  `CREATE TABLE user_quotas (
    user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
    resource text NOT NULL,
    quota bigint CHECK (quota >= 0),
    PRIMARY KEY (user_id, resource)
  )`,
  // cap is null: unlimited.
  `CREATE TABLE user_usage (
    user_id uuid NOT NULL,
    resource text NOT NULL,
    shard smallint NOT NULL,
    used bigint NOT NULL,
    cap bigint,
    PRIMARY KEY (user_id, resource, shard)
  ) WITH (fillfactor = 50)`,
  `CREATE TABLE usage_notes (user_id uuid NOT NULL, resource text NOT NULL, amount bigint NOT NULL)
    WITH (autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_scale_factor = 0)`,
  'CREATE INDEX usage_notes_of ON usage_notes (user_id, resource)',
];

const FUNCTIONS = [
  // null: unlimited.
  `CREATE FUNCTION quota_of(owner uuid, of_resource text) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN own.user_id IS NOT NULL THEN own.quota WHEN u.role = 'admin' THEN d.administrator_quota ELSE d.quota END
    FROM quota_defaults AS d JOIN users AS u ON u.id = owner
    LEFT JOIN user_quotas AS own ON own.user_id = owner AND own.resource = of_resource
    WHERE d.resource = of_resource
  $$`,
  `CREATE FUNCTION share_of(total bigint, at_shard integer) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT floor(total::numeric / ${SHARDS})::bigint + CASE WHEN at_shard < mod(mod(total, ${SHARDS}) + ${SHARDS}, ${SHARDS}) THEN 1 ELSE 0 END
  $$`,
  // The caller holds no row of this user and resource: all are locked here, in order.
  `CREATE FUNCTION settle_usage(owner uuid, of_resource text) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    noted bigint;
    spare bigint;
  BEGIN
    ${lockUsage('')}
    PERFORM FROM user_usage WHERE user_id = owner AND resource = of_resource ORDER BY shard FOR UPDATE;
    IF NOT FOUND THEN
      -- A change of the user's quotas locks the user: the caps below follow the quotas that are in force.
      PERFORM FROM users WHERE id = owner FOR KEY SHARE;
      INSERT INTO user_usage (user_id, resource, shard, used)
        SELECT owner, of_resource, shard, 0 FROM generate_series(0, ${SHARDS - 1}) AS shard ORDER BY shard ON CONFLICT DO NOTHING;
      PERFORM FROM user_usage WHERE user_id = owner AND resource = of_resource ORDER BY shard FOR UPDATE;
    END IF;
    WITH taken AS (DELETE FROM usage_notes AS n WHERE n.user_id = owner AND n.resource = of_resource RETURNING n.amount)
      SELECT coalesce(sum(taken.amount), 0) INTO noted FROM taken;
    UPDATE user_usage SET used = used + noted WHERE user_id = owner AND resource = of_resource AND shard = 0 AND noted <> 0;
    SELECT greatest(quota_of(owner, of_resource) - sum(used), 0) INTO spare FROM user_usage WHERE user_id = owner AND resource = of_resource;
    IF quota_of(owner, of_resource) IS NULL THEN spare := NULL; END IF;
    UPDATE user_usage SET cap = used + share_of(spare, shard) WHERE user_id = owner AND resource = of_resource;
  END $$`,
  `CREATE FUNCTION charge_quota(owner uuid, of_resource text, amount bigint) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    here integer := pg_backend_pid() % ${SHARDS};
    noted bigint;
    taken bigint;
    attempts integer := 0;
    began timestamptz := clock_timestamp();
  BEGIN
    IF owner IS NULL OR amount = 0 THEN RETURN; END IF;
    IF NOT EXISTS (SELECT FROM user_usage WHERE user_id = owner AND resource = of_resource) THEN
      PERFORM settle_usage(owner, of_resource);
    END IF;
    -- Before the first UPDATE: it keeps its row locked even where it changes nothing, if it had to wait for the row.
    ${lockUsage('_shared')}
    UPDATE user_usage SET used = used + amount
      WHERE user_id = owner AND resource = of_resource AND shard = here AND (cap IS NULL OR used + amount <= cap);
    IF FOUND THEN RETURN; END IF;
    PERFORM FROM user_usage WHERE user_id = owner AND resource = of_resource AND shard = here FOR UPDATE;
    LOOP
      attempts := attempts + 1;
      WITH these AS (
        SELECT ctid FROM usage_notes WHERE user_id = owner AND resource = of_resource FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM usage_notes AS n WHERE n.ctid = ANY (ARRAY(SELECT ctid FROM these)) RETURNING n.amount
      ) SELECT coalesce(sum(gone.amount), 0) INTO noted FROM gone;
      -- Half of what one other row has to spare, so that others find some too; all of it from the second time on.
      WITH free AS (
        SELECT shard, CASE attempts WHEN 1 THEN (cap - used + 1) / 2 ELSE cap - used END AS part
        FROM user_usage WHERE user_id = owner AND resource = of_resource AND shard <> here AND cap > used
        ORDER BY cap - used DESC LIMIT 1 FOR UPDATE SKIP LOCKED
      ), gave AS (
        UPDATE user_usage AS u SET cap = u.cap - free.part FROM free
        WHERE u.user_id = owner AND u.resource = of_resource AND u.shard = free.shard RETURNING free.part
      ) SELECT coalesce(sum(part), 0) INTO taken FROM gave;
      UPDATE user_usage SET used = used + noted, cap = cap + taken
        WHERE user_id = owner AND resource = of_resource AND shard = here AND (noted <> 0 OR taken <> 0);
      UPDATE user_usage SET used = used + amount
        WHERE user_id = owner AND resource = of_resource AND shard = here AND (cap IS NULL OR used + amount <= cap);
      IF FOUND THEN RETURN; END IF;
      -- What is spare is in rows that other transactions hold for a moment. It is not waited for with a lock: they may wait for ours.
      EXIT WHEN NOT EXISTS (
        SELECT FROM user_usage WHERE user_id = owner AND resource = of_resource AND shard <> here AND cap > used
        UNION ALL SELECT FROM usage_notes WHERE user_id = owner AND resource = of_resource
      );
      EXIT WHEN clock_timestamp() > began + interval '${PATIENCE}';
      IF taken = 0 THEN PERFORM pg_sleep(0.004); END IF;
    END LOOP;
    RAISE EXCEPTION 'quota exceeded' USING ERRCODE = 'TQ001', CONSTRAINT = of_resource, DETAIL = json_build_object(
      'quota', quota_of(owner, of_resource),
      'used', (SELECT sum(used) FROM user_usage WHERE user_id = owner AND resource = of_resource)
    )::text;
  END $$`,
  // Another role has other quotas.
  `CREATE FUNCTION settle_role() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    PERFORM settle_usage(NEW.id, resource) FROM (
      SELECT DISTINCT resource FROM user_usage WHERE user_id = NEW.id ORDER BY resource
    ) AS counted;
    RETURN NULL;
  END $$`,
  `CREATE FUNCTION note_usage(owner uuid, of_resource text, amount bigint) RETURNS void LANGUAGE sql AS $$
    INSERT INTO usage_notes (user_id, resource, amount) SELECT owner, of_resource, amount WHERE owner IS NOT NULL AND amount <> 0
  $$`,
  `CREATE TRIGGER users_role_quota AFTER UPDATE OF role ON users
    FOR EACH ROW WHEN (OLD.role IS DISTINCT FROM NEW.role) EXECUTE FUNCTION settle_role()`,
];
