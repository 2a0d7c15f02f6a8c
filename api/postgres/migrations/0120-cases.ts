import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Cases with their detections, tasks, files and history; comments and executions of detections and cases; templates; who wants mails. */
export const cases: Migration = {
  // Long: one table after the other.
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE cases (
        id text PRIMARY KEY CHECK (id ~ '^case_[0-9a-f]{32}$'),
        number integer NOT NULL UNIQUE GENERATED ALWAYS AS IDENTITY,
        version integer NOT NULL DEFAULT 1 CHECK (version > 0),
        title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
        description text CHECK (length(description) <= 10000),
        severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
        status text NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'in_progress', 'closed')),
        reason text CHECK (reason IN ('resolved', 'false_positive', 'benign', 'duplicate')),
        assignee text CHECK (length(assignee) <= 64),
        campaign_id text UNIQUE,
        last_seq integer NOT NULL DEFAULT 0,
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        created_by text NOT NULL,
        changed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        acknowledged_at timestamptz(3),
        closed_at timestamptz(3),
        CHECK ((status = 'closed') = (closed_at IS NOT NULL)),
        CHECK ((status = 'closed') = (reason IS NOT NULL))
      )`.execute(db);
    await sql`CREATE INDEX cases_newest ON cases (created_at DESC, id DESC)`.execute(db);
    await sql`
      CREATE TABLE case_detections (
        case_id text NOT NULL REFERENCES cases,
        detection_id text NOT NULL CHECK (detection_id ~ '^det_[0-9a-f]{32}$'),
        added_at timestamptz(3) NOT NULL,
        PRIMARY KEY (case_id, detection_id)
      )`.execute(db);
    await sql`CREATE INDEX case_detections_detection ON case_detections (detection_id)`.execute(db);
    await sql`
      CREATE TABLE case_tasks (
        id text PRIMARY KEY CHECK (id ~ '^task_[0-9a-f]{32}$'),
        case_id text NOT NULL REFERENCES cases,
        position integer NOT NULL,
        title text NOT NULL CHECK (length(title) BETWEEN 1 AND 500),
        assignee text CHECK (length(assignee) <= 64),
        done boolean NOT NULL DEFAULT false,
        UNIQUE (case_id, position)
      )`.execute(db);
    await sql`
      CREATE TABLE case_files (
        id text PRIMARY KEY CHECK (id ~ '^file_[0-9a-f]{32}$'),
        case_id text NOT NULL REFERENCES cases,
        filename text NOT NULL CHECK (length(filename) BETWEEN 1 AND 255),
        content_hash text NOT NULL REFERENCES file_contents (hash),
        size bigint NOT NULL CHECK (size >= 0),
        added_at timestamptz(3) NOT NULL,
        added_by text NOT NULL,
        username text
      )`.execute(db);
    await sql`CREATE INDEX case_files_case ON case_files (case_id, added_at)`.execute(db);
    await sql`CREATE INDEX case_files_content ON case_files (content_hash)`.execute(db);
    await sql`
      CREATE TABLE case_events (
        case_id text NOT NULL REFERENCES cases,
        seq integer NOT NULL,
        at timestamptz(3) NOT NULL,
        actor text NOT NULL,
        username text,
        kind text NOT NULL CHECK (length(kind) <= 40),
        data jsonb NOT NULL,
        PRIMARY KEY (case_id, seq)
      )`.execute(db);
    await sql`
      CREATE TABLE comments (
        id text PRIMARY KEY CHECK (id ~ '^cmt_[0-9a-f]{32}$'),
        subject text NOT NULL CHECK (subject ~ '^(det|case)_[0-9a-f]{32}$'),
        created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        actor text NOT NULL,
        author_id text,
        username text,
        text text CHECK (length(text) BETWEEN 1 AND 10000),
        edited_at timestamptz(3),
        deleted_at timestamptz(3),
        CHECK ((text IS NULL) = (deleted_at IS NOT NULL))
      )`.execute(db);
    await sql`CREATE INDEX comments_subject ON comments (subject, created_at, id)`.execute(db);
    await sql`
      CREATE TABLE linked_executions (
        subject text NOT NULL CHECK (subject ~ '^(det|case)_[0-9a-f]{32}$'),
        execution_id text NOT NULL CHECK (length(execution_id) <= 100),
        kind text NOT NULL CHECK (kind IN ('workflow', 'agent')),
        name text CHECK (length(name) <= 200),
        at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        actor text NOT NULL,
        username text,
        PRIMARY KEY (subject, execution_id)
      )`.execute(db);
    await sql`
      CREATE TABLE case_templates (
        id text PRIMARY KEY CHECK (id ~ '^tpl_[0-9a-f]{32}$'),
        name text NOT NULL CHECK (length(name) BETWEEN 1 AND 100),
        version integer NOT NULL DEFAULT 1 CHECK (version > 0),
        title text NOT NULL CHECK (length(title) BETWEEN 1 AND 200),
        severity text NOT NULL CHECK (severity IN ('critical', 'high', 'medium', 'low', 'info')),
        tasks jsonb NOT NULL,
        changed_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
        changed_by text NOT NULL
      )`.execute(db);
    await sql`CREATE UNIQUE INDEX case_templates_name ON case_templates (lower(name))`.execute(db);
    await sql`
      CREATE TABLE notification_settings (
        user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
        mentions boolean NOT NULL,
        assignments boolean NOT NULL
      )`.execute(db);
  },
};
