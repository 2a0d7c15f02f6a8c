/** Statements that do not affect reads and writes of older versions. */
const HARMLESS = [
  /^CREATE TABLE /,
  /^CREATE SEQUENCE /,
  /^CREATE FUNCTION /,
  /^CREATE (?:MATERIALIZED )?VIEW /,
  /^COMMENT ON /,
  // Storage parameters in PostgreSQL, settings in ClickHouse.
  /^ALTER TABLE \S+ SET \(/,
  /^ALTER TABLE \S+ MODIFY (?:SETTING|COMMENT) /,
];
/** Statements that may change a table created in the same migration, because no older version uses it. */
const ON_TABLE = [
  /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\S+) /,
  /^CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(?:\S+ )?ON (\S+)/,
  /^CREATE TRIGGER .*? ON (\S+)/,
  /^INSERT INTO (\S+)/,
  /^(?:GRANT|REVOKE) .*? ON (\S+)/,
];
const ADDED =
  /^ADD (?:COLUMN |INDEX |PROJECTION )?(?:IF NOT EXISTS )?(?!CONSTRAINT|CHECK|UNIQUE|PRIMARY|FOREIGN|EXCLUDE)\S+ /;

/**
 * Returns the statements with which older versions may fail while they use the same tables, or which hold a lock for
 * long. An index of an existing table belongs in a background migration.
 */
export function breakingStatements(statements: readonly string[]): string[] {
  const all = statements.flatMap(split);
  const made = new Set(all.flatMap((text) => /^CREATE TABLE (?:IF NOT EXISTS )?([^\s(]+)/.exec(text)?.[1] ?? []));
  return all.filter((text) => {
    if (HARMLESS.some((pattern) => pattern.test(text))) return false;
    const table = ON_TABLE.map((pattern) => pattern.exec(text)?.[1]).find((name) => name !== undefined);
    if (table !== undefined && made.has(table.replace(/\($/, ''))) return false;
    return !addsOptionalColumns(text);
  });
}

function addsOptionalColumns(text: string): boolean {
  const clauses = /^ALTER TABLE \S+ (ADD .*)$/.exec(text)?.[1];
  return clauses !== undefined && atTopLevel(clauses, ',').every(isOptionalColumn);
}

function isOptionalColumn(clause: string): boolean {
  return (
    ADDED.test(clause) &&
    !/\b(?:UNIQUE|PRIMARY KEY)\b/.test(clause) &&
    (!/ NOT NULL\b/.test(clause) || / DEFAULT /.test(clause))
  );
}

/** Returns the statements of a text, each on one line. */
function split(text: string): string[] {
  return atTopLevel(text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim(), ';').filter((one) => one !== '');
}

/** Splits at separators outside parentheses and quotes. */
function atTopLevel(text: string, separator: string): string[] {
  const parts = [''];
  let depth = 0;
  for (const [token] of text.matchAll(/\$(\w*)\$.*?\$\1\$|'(?:[^']|'')*'|"[^"]*"|./g)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (token === separator && depth === 0) parts.push('');
    else parts[parts.length - 1] += token;
  }
  return parts.map((part) => part.trim());
}
