import { type Kysely, sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Teams of users, and grants: a workflow or agent of one user may be seen, run, changed or approved by others. */
export const sharing: Migration = {
  async up(db: Kysely<unknown>): Promise<void> {
    await sql`
      CREATE TABLE teams (
        id text PRIMARY KEY,
        name text NOT NULL CONSTRAINT teams_name_key UNIQUE,
        description text NOT NULL DEFAULT '',
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      )`.execute(db);
    await sql`
      CREATE TABLE team_members (
        team_id text NOT NULL REFERENCES teams ON DELETE CASCADE,
        user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
        added_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (team_id, user_id)
      )`.execute(db);
    await sql`CREATE INDEX team_members_by_user ON team_members (user_id)`.execute(db);
    await sql`
      CREATE TABLE automation_grants (
        id text PRIMARY KEY,
        workflow_id text REFERENCES workflows ON DELETE CASCADE,
        agent_id text REFERENCES agents ON DELETE CASCADE,
        user_id uuid REFERENCES users ON DELETE CASCADE,
        team_id text REFERENCES teams ON DELETE CASCADE,
        role text CHECK (role IN ('user', 'analyst', 'admin')),
        permission text NOT NULL CHECK (permission IN ('view', 'run', 'edit', 'approve')),
        created_by text NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        CHECK (num_nonnulls(workflow_id, agent_id) = 1),
        CHECK (num_nonnulls(user_id, team_id, role) = 1),
        UNIQUE NULLS NOT DISTINCT (workflow_id, agent_id, user_id, team_id, role, permission)
      )`.execute(db);
    await sql`CREATE INDEX automation_grants_of_agents ON automation_grants (agent_id)`.execute(db);
    await sql`CREATE INDEX automation_grants_of_users ON automation_grants (user_id)`.execute(db);
    await sql`CREATE INDEX automation_grants_of_teams ON automation_grants (team_id)`.execute(db);
    await sql`CREATE INDEX automation_grants_of_roles ON automation_grants (role) WHERE role IS NOT NULL`.execute(db);
  },
};
