import { createHash } from 'node:crypto';

export interface EngineConfigOptions {
  readonly user: string;
  readonly password: string;
  /** Memory limit of all queries, inserts and merges together. The process itself needs about 250 MiB more. */
  readonly memoryMiB: number;
  /** Additional privileges, in the syntax after GRANT. */
  readonly morePrivileges: readonly string[];
  /** Password of the user BACKUP_USER. */
  readonly backupPassword: string;
}

/** User that reads tables and writes backups below `BACKUP_FOLDER`. */
export const BACKUP_USER = 'trapline_backup';
/** Folder in the tables' directory, the only place where the engine writes and reads backups. */
export const BACKUP_FOLDER = 'backups';

/**
 * Address that the engine sees for every client of its socket. From a network for documentation (RFC 5737), so no real
 * client has it.
 */
export const PEER = '192.0.2.1';
/**
 * Address of the start script's session, `::`, as a network. As a single address, it would also match the addresses of
 * the machine.
 */
const START_SCRIPT = '::/127';

const MIB = 1024 * 1024;

/**
 * Free memory required per query thread. With the server's default of 1 GiB, every query of a small engine would have
 * one thread.
 */
const FREE_BYTES_A_THREAD = 128 * MIB;

/**
 * Privileges of our user on all databases: those for migrations, inserts and queries. None gives access to files, other
 * hosts, programs, accounts or the engine itself.
 */
const PRIVILEGES = [
  'SELECT, INSERT, SHOW ON *.*',
  'CREATE DATABASE, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW ON *.*',
  'ALTER COLUMN, ALTER INDEX, ALTER STATISTICS, ALTER TTL, ALTER SETTINGS, ALTER DELETE ON *.*',
  'TABLE ENGINE ON MergeTree',
  'TABLE ENGINE ON ReplacingMergeTree',
];

/** Privileges of BACKUP_USER. A database of engine Backup is used to run check queries on a backup. */
const BACKUP_PRIVILEGES = [
  'SELECT, SHOW, BACKUP ON *.*',
  'CREATE DATABASE, DROP DATABASE ON *.*',
  'TABLE ENGINE ON Backup',
];

/**
 * Returns the configuration for a machine that also runs other programs. Caches take megabytes instead of gigabytes.
 * There are no system log tables, and no statistics for join planning. All data are synced to disk before they are
 * acknowledged, which is cheap at about one insert per second. The engine serves queries, but none of ClickHouse's
 * pages (/play, /ping, /replicas_status and others), which require no credentials.
 */
export function engineConfig({ memoryMiB }: EngineConfigOptions): string {
  const bytes = memoryMiB * MIB;
  return `<clickhouse>
  <users_config>users.xml</users_config>
  <user_files_path>/nonexistent/</user_files_path>
  <user_scripts_path>/nonexistent/</user_scripts_path>
  <listen_host>127.0.0.1</listen_host>
  <http_handlers>
    <rule>
      <url>/</url>
      <handler><type>dynamic_query_handler</type><query_param_name>query</query_param_name></handler>
    </rule>
  </http_handlers>
  <backups><allowed_path>${BACKUP_FOLDER}</allowed_path></backups>
  <keep_alive_timeout>30</keep_alive_timeout>
  <max_server_memory_usage>${bytes}</max_server_memory_usage>
  <shutdown_wait_unfinished>2</shutdown_wait_unfinished>
  <max_concurrent_queries>64</max_concurrent_queries>
  <mark_cache_size>${32 * MIB}</mark_cache_size>
  <primary_index_cache_size>${32 * MIB}</primary_index_cache_size>
  <index_mark_cache_size>${16 * MIB}</index_mark_cache_size>
  <compiled_expression_cache_size>${16 * MIB}</compiled_expression_cache_size>
  <mmap_cache_size>64</mmap_cache_size>
  <max_thread_pool_size>256</max_thread_pool_size>
  <max_thread_pool_free_size>16</max_thread_pool_free_size>
  <background_pool_size>2</background_pool_size>
  <background_schedule_pool_size>4</background_schedule_pool_size>
  <merge_tree>
    <auto_statistics_types></auto_statistics_types>
    <fsync_after_insert>1</fsync_after_insert>
    <fsync_part_directory>1</fsync_part_directory>
    <min_rows_to_fsync_after_merge>1</min_rows_to_fsync_after_merge>
    <max_bytes_to_merge_at_max_space_in_pool>${8 * 1024 * MIB}</max_bytes_to_merge_at_max_space_in_pool>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
  </merge_tree>
</clickhouse>
`;
}

/**
 * Returns the users file with three users. Our user and the backup user have passwords and are restricted to the
 * address PEER. The engine runs its start script as `default`, which cannot have a password there. This user has only
 * the privileges of the script, and no client of the socket can sign in as it.
 */
export function engineUsers({ user, password, morePrivileges, backupPassword }: EngineConfigOptions): string {
  return `<clickhouse>
  <profiles>
    <default>
      <async_insert>0</async_insert>
      <output_format_json_quote_64bit_integers>1</output_format_json_quote_64bit_integers>
      <max_threads>1</max_threads>
      <max_threads_min_free_memory_per_thread>${FREE_BYTES_A_THREAD}</max_threads_min_free_memory_per_thread>
    </default>
  </profiles>
  <quotas><default></default></quotas>
  <users>
    <default>
      <password></password>
      <networks><ip>${START_SCRIPT}</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        <query>GRANT SYSTEM LISTEN ON *.*</query>
        <query>GRANT CREATE TEMPORARY TABLE ON *.*</query>
        <query>GRANT READ ON FILE</query>
      </grants>
    </default>
${userOfSocket(user, password, [...PRIVILEGES, ...morePrivileges])}
${userOfSocket(BACKUP_USER, backupPassword, BACKUP_PRIVILEGES)}
  </users>
</clickhouse>
`;
}

function userOfSocket(user: string, password: string, privileges: readonly string[]): string {
  const hash = createHash('sha256').update(password).digest('hex');
  const grants = privileges.map((privilege) => `<query>GRANT ${privilege}</query>`);
  return `    <${user}>
      <password_sha256_hex>${hash}</password_sha256_hex>
      <networks><ip>${PEER}</ip></networks>
      <profile>default</profile>
      <quota>default</quota>
      <grants>
        ${grants.join('\n        ')}
      </grants>
    </${user}>`;
}
