import type { ClickHouse } from '#analytics/clickhouse/client.ts';
import { eventsTable } from '#analytics/clickhouse/tables/events.ts';

/** Days over which generated events are spread, ending now. */
export const GENERATED_DAYS = 30;
const ROWS_A_STEP = 1_000_000;
const DAY_NANOS = 86_400_000_000_000n;
const NANOS_OF_ALL = BigInt(GENERATED_DAYS) * DAY_NANOS;

/** Insert settings for blocks of the size that `ingest` lands under load. Merges do the same work as with `ingest`. */
const AS_LANDED = {
  max_block_size: '32768',
  min_insert_block_size_rows: '32768',
  max_insert_threads: '1',
  optimize_on_insert: 0,
  exclude_materialize_skip_indexes_on_insert: (eventsTable.notAtLanding ?? []).join(', '),
} as const;

/** Insert settings for blocks as large as after merges, so that each event is written only once. */
const AS_MERGED = {
  ...AS_LANDED,
  max_block_size: '65536',
  min_insert_block_size_bytes: '0',
  exclude_materialize_skip_indexes_on_insert: '',
} as const;
/** Rows of a block with the texts of its events, which takes 0.15 GB of memory. */
const ROWS_OF_ALIKE_TEXTS = 262_144;

/** SQL expression of the text of an event, as a detector sends it. */
const TEXT = `multiIf(
    is_trap, concat(head, '"level":"Info","facility":"Kern","trap":{"type":"', trap_kind, '"', if(trap_kind = 'Segfault', concat(',"location":', toString(touched)), ''),
      '},"procname":"', program, '","pid":', toString(pid_value), ',"ip":', toString(ip_value), ',"sp":', toString(sp_value),
      ',"errcode":{"reason":"NoPageFound","access_type":"Read","access_mode":"User","use_of_reserved_bit":false,"instruction_fetch":false,"protection_keys_block_access":false},',
      if(number % 9 != 0, concat('"file":"', library, '",'), ''), '"vmastart":', toString(base), ',"vmasize":409600}}'),
    is_signal, concat(head, '"level":"Info","facility":"Kern","signal":"', signal_name, '","stack_dump":{"Comm":"', program, '","PID":"', toString(pid_value),
      '","CPU":"1","UID":"33","RIP":"0033:0x', lower(hex(ip_value)), '","RSP":"002b:', lower(hex(sp_value)), '","EFLAGS":"00010246","RAX":"', lower(hex(number % 7)),
      '","RDI":"', lower(hex(cityHash64(number % 5))), '","RSI":"', lower(hex(cityHash64(number, 6))), '","FS":"00007fa57c6d9740","GS":"0000000000000000"}}}'),
    is_count, concat(head, '"level":"Info","facility":"Kern","function_name":"show_signal_msg","count":', toString(number % 400), '}}'),
    is_probe, concat(head, '"register":"', ['ip', 'RDI', 'canary'][number % 3 + 1], '","procname":"', program,
      '","message":"The register moves systematically from crash to crash","justification":{"EventCount":', toString(number % 300), '}}}'),
    concat(head, '"key":"kernel.print-fatal-signals","expected_value":"1","observed_value":"0"}}'))`;

/**
 * SQL expression of one text for all events of a type. It has the length of a real text: it needs almost no disk space
 * but as much time to read.
 */
const TEXT_OF_KIND = `multiIf(
    is_trap, '{"version":"V1","timestamp":"2026-03-01T00:00:00.000000000Z","hostname":"edge-0000.fra1.example.net","event":{"type":"LinuxKernelTrap","level":"Info","facility":"Kern","trap":{"type":"Segfault","location":140562304876544},"procname":"nginx-worker-5","pid":10000,"ip":140562304876544,"sp":140737000000000,"errcode":{"reason":"NoPageFound","access_type":"Read","access_mode":"User","use_of_reserved_bit":false,"instruction_fetch":false,"protection_keys_block_access":false},"file":"lib5.so.1","vmastart":140562304876544,"vmasize":409600}}',
    is_signal, '{"version":"V1","timestamp":"2026-03-01T00:00:00.000000000Z","hostname":"edge-0000.fra1.example.net","event":{"type":"LinuxFatalSignal","level":"Info","facility":"Kern","signal":"SIGSEGV","stack_dump":{"Comm":"nginx-worker-5","PID":"10000","CPU":"1","UID":"33","RIP":"0033:0x7fd70f401eec","RSP":"002b:00007ffd00000000","EFLAGS":"00010246","RAX":"0","RDI":"0","RSI":"0","FS":"00007fa57c6d9740","GS":"0000000000000000"}}}',
    is_count, '{"version":"V1","timestamp":"2026-03-01T00:00:00.000000000Z","hostname":"edge-0000.fra1.example.net","event":{"type":"LinuxSuppressedCallback","level":"Info","facility":"Kern","function_name":"show_signal_msg","count":7}}',
    is_probe, '{"version":"V1","timestamp":"2026-03-01T00:00:00.000000000Z","hostname":"edge-0000.fra1.example.net","event":{"type":"RegisterProbe","register":"ip","procname":"nginx-worker-5","message":"The register moves systematically from crash to crash","justification":{"EventCount":7}}}',
    '{"version":"V1","timestamp":"2026-03-01T00:00:00.000000000Z","hostname":"edge-0000.fra1.example.net","event":{"type":"ConfigMismatch","key":"kernel.print-fatal-signals","expected_value":"1","observed_value":"0"}}')`;

const TEXTS = { own: TEXT, 'of its kind': TEXT_OF_KIND, none: `''` } as const;
/** Contents of the column with the text of events: see `generateEvents`. */
export type Texts = keyof typeof TEXTS;

/** Returns the SQL expression of a number from 0 to 1 that depends only on the row and the salt. */
const chance = (salt: number) => `(cityHash64(number, ${salt}) % 1000003) / 1000003`;

/**
 * Generates the events of a fleet of 1,000 hosts and 200 programs over 30 days, in ClickHouse itself. Some hosts and
 * programs crash often, and many rarely. One event in 16 is the register dump of a fatal signal, and one in 50 counts
 * suppressed callbacks. A probe or a changed setting is one event in some thousands. The hardest cases for lists are
 * the host `quiet-host`, which sends only in the first hundredth of the events, and a word in one of a million events.
 *
 * With `texts` set to `none` the column with the text of events is empty, which saves half of the time and most of the
 * disk space. This suits benchmarks that read the other columns only. With `of its kind` the text can be read, at
 * little more cost. Without `asLanded` each day is a single part from the start, or a few parts if events have texts.
 */
export async function generateEvents(
  clickhouse: ClickHouse,
  events: number,
  progress: (text: string) => void,
  { texts = 'own', asLanded = true }: { readonly texts?: Texts; readonly asLanded?: boolean } = {},
): Promise<void> {
  const begin = BigInt(Date.now()) * 1_000_000n - NANOS_OF_ALL;
  const step = NANOS_OF_ALL / BigInt(events);
  const ends = asLanded ? endsOfSteps(events) : endsOfDays(events, begin, step);
  for (const [i, end] of ends.entries()) {
    const from = ends[i - 1] ?? 0;
    await clickhouse.command('generate events', insertOf(clickhouse.table('events'), texts), {
      params: { from, rows: end - from, begin: String(begin), step: String(step), events },
      settings: asLanded
        ? AS_LANDED
        : { ...AS_MERGED, min_insert_block_size_rows: String(texts === 'none' ? end - from : ROWS_OF_ALIKE_TEXTS) },
    });
    if (i % 10 === 9) progress(`${end} events are generated`);
  }
}

function endsOfSteps(events: number): number[] {
  const steps = Math.ceil(events / ROWS_A_STEP);
  return Array.from({ length: steps }, (_, i) => Math.min(events, (i + 1) * ROWS_A_STEP));
}

/** Returns the index after the last event of each day. */
function endsOfDays(events: number, begin: bigint, step: bigint): number[] {
  const ends: number[] = [];
  for (let midnight = (begin / DAY_NANOS + 1n) * DAY_NANOS; (ends.at(-1) ?? 0) < events; midnight += DAY_NANOS)
    ends.push(Math.min(events, Number((midnight - begin + step - 1n) / step)));
  return ends;
}

const insertOf = (table: string, texts: Texts) => `
INSERT INTO ${table} (landing_day, topic, partition, offset, received, timestamp, hostname, type, procname, pid, ip, sp, file, vmastart,
  vmasize, trap, location, signal, function_name, count, level, facility, register, ingest_id, raw)
WITH
  toInt64({begin:Int64} + number * {step:Int64}) AS nanos,
  fromUnixTimestamp64Nano(nanos, 'UTC') AS at,
  multiIf(number % 16 = 5, 'LinuxFatalSignal', number % 50 = 7, 'LinuxSuppressedCallback', number % 5003 = 11, 'RegisterProbe',
    number % 9001 = 13, 'ConfigMismatch', 'LinuxKernelTrap') AS kind,
  if(number % 40 = 9 AND number < {events:UInt64} / 100, 'quiet-host.fra1.example.net',
    concat('edge-', leftPad(toString(toUInt32(1000 * pow(${chance(1)}, 2))), 4, '0'), '.fra1.example.net')) AS host,
  toUInt32(200 * pow(${chance(2)}, 2)) AS program_number,
  if(number % 1000003 = 500, 'unheard-of', concat(['nginx-worker', 'postgres-backend', 'mail-queue', 'dns-cache', 'session-broker'][program_number % 5 + 1], '-',
    toString(program_number))) AS program,
  concat(['lib', 'mod_', 'plugin-'][program_number % 3 + 1], toString(program_number % 150), '.so.1') AS library,
  94577000000000 + cityHash64(program_number) % 1000000 * 4096 AS base,
  base + if(number % 3 = 0, number % 512 * 4, cityHash64(program_number, number % 7) % 400000) AS ip_value,
  140737000000000 + cityHash64(number, 3) % 1000000000 AS sp_value,
  1000 + cityHash64(number, 4) % 4000000 AS pid_value,
  if(number % 2 = 0, ip_value, cityHash64(number, 5) % 281474976710656) AS touched,
  kind = 'LinuxKernelTrap' AS is_trap, kind = 'LinuxFatalSignal' AS is_signal, kind = 'LinuxSuppressedCallback' AS is_count, kind = 'RegisterProbe' AS is_probe,
  multiIf(number % 10 = 3, 'InvalidOpcode', number % 10 = 4, 'GeneralProtectionFault', 'Segfault') AS trap_kind,
  ['SIGSEGV', 'SIGIOT', 'SIGBUS', 'SIGILL'][number % 4 + 1] AS signal_name,
  concat('{"version":"V1","timestamp":"', formatDateTime(at, '%Y-%m-%dT%H:%i:%S'), '.', leftPad(toString(nanos % 1000000000), 9, '0'), 'Z","hostname":"', host, '","event":{"type":"', kind, '",') AS head
SELECT
  toDate(at), 'events.v1', intDiv(number, 1000000) % 4, number, toDateTime64(at + INTERVAL 200 MILLISECOND, 3, 'UTC'), at, host, kind,
  if(is_trap OR is_signal OR is_probe, program, NULL), if(is_trap OR is_signal, pid_value, NULL), if(is_trap OR is_signal, ip_value, NULL),
  if(is_trap OR is_signal, sp_value, NULL), if(is_trap AND number % 9 != 0, library, NULL), if(is_trap, base, NULL), if(is_trap, 409600, NULL),
  if(is_trap, trap_kind, NULL), if(is_trap AND trap_kind = 'Segfault', touched, NULL), if(is_signal, signal_name, NULL),
  if(is_count, 'show_signal_msg', NULL), if(is_count, number % 400, NULL), if(is_trap OR is_signal OR is_count, 'Info', NULL),
  if(is_trap OR is_signal OR is_count, 'Kern', NULL), if(is_probe, ['ip', 'RDI', 'canary'][number % 3 + 1], NULL), '',
  ${TEXTS[texts]}
FROM numbers({from:UInt64}, {rows:UInt64})`;
