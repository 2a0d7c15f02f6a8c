import { expect, test } from 'vitest';
import { breakingStatements } from './expand-only.ts';

test.each([
  'CREATE TABLE labels (id bigint PRIMARY KEY, name text NOT NULL UNIQUE)',
  "ALTER TABLE users ADD COLUMN nickname text, ADD theme text NOT NULL DEFAULT 'light, dark'",
  'ALTER TABLE jobs SET (fillfactor = 80)',
  'ALTER TABLE `db`.events ADD COLUMN IF NOT EXISTS access LowCardinality(Nullable(String)) AFTER register',
  'ALTER TABLE `db`.events ADD INDEX IF NOT EXISTS by_access access TYPE set(8)',
  `CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN DELETE FROM a; DROP TABLE b; RETURN NEW; END $$`,
  'CREATE TABLE labels (id bigint); CREATE UNIQUE INDEX labels_id ON labels (id); INSERT INTO labels (id) VALUES (1)',
])('%s is compatible with older versions', (statement) => {
  expect(breakingStatements([statement])).toEqual([]);
});

test.each([
  'DROP TABLE users',
  'ALTER TABLE users DROP COLUMN email',
  'ALTER TABLE users RENAME COLUMN email TO address',
  'ALTER TABLE users ADD COLUMN region text NOT NULL',
  'ALTER TABLE users ADD COLUMN region text, DROP COLUMN email',
  'ALTER TABLE users ADD CONSTRAINT short CHECK (length(username) < 9)',
  'ALTER TABLE users ALTER COLUMN email TYPE citext',
  'CREATE UNIQUE INDEX users_email ON users (email)',
  'CREATE INDEX users_email ON users (email)',
  'CREATE TRIGGER t BEFORE INSERT ON users FOR EACH ROW EXECUTE FUNCTION f()',
  'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ SELECT 1 $$',
  "UPDATE users SET role = 'user'",
  'REVOKE INSERT ON users FROM PUBLIC',
  'CREATE TABLE a (id int); DROP TABLE b',
  'ALTER TABLE `db`.events MODIFY COLUMN host String',
])('%s can break older versions', (statement) => {
  expect(breakingStatements([statement])).toHaveLength(1);
});
