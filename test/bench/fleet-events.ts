/** A record for the events topic. */
export interface FleetRecord {
  readonly key: string;
  readonly value: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

const HOSTS = 200;
const PROGRAMS = 20;
/** Number of records after which the rules detect the probes. */
export const FLEET_IS_PROBED = 25 * HOSTS * PROGRAMS;
const START_SECONDS = Date.parse('2026-03-01T00:00:00Z') / 1000;

/** Distance between the memory layouts of two programs: address randomization places each image differently. */
const LAYOUT = 2 ** 28;

/**
 * Returns a record of a fleet of 200 hosts with 20 programs each, about 530 bytes. Most records are crash loops at a
 * few addresses of each program. One event in 16 is the register dump of a fatal signal, and one in 50 reports
 * suppressed callbacks. On 14 hosts the instruction pointer of a program is probed. The same index returns the same
 * record.
 */
export function fleetRecord(index: number, huge = false): FleetRecord {
  const host = (index * 7919) % HOSTS;
  const program = Math.floor(index / HOSTS) % PROGRAMS;
  const key = `edge-${String(host).padStart(3, '0')}.fra1.example.net`;
  const time = `${new Date((START_SECONDS + index / 1000) * 1000).toISOString().slice(0, -1)}${String(index % 1_000_000).padStart(6, '0')}Z`;
  const body =
    index % 50 === 0 ? suppressed(index) : index % 16 === 0 ? dump(index, program) : trap(index, host, program, huge);
  return { key, value: Buffer.from(`{"version":"V1","timestamp":"${time}","hostname":"${key}","event":${body}}`) };
}

function trap(index: number, host: number, program: number, huge: boolean): string {
  const base = (huge ? 0xffff_8000_0000_0000n : 0x7fd7_0f40_0000n) + BigInt(program * LAYOUT);
  const probed = host % 10 === 0 && program === 3;
  const place = probed ? (Math.floor(index / (HOSTS * PROGRAMS)) % 512) * 4 : (index % 3) * 4096;
  const address = (offset: number) => String(base + BigInt(offset));
  // In the middle of a page: the rules explain a fault at a page boundary as an access beyond the end of a buffer.
  const location = probed ? 2_048 + (place % 1_024) : place;
  return (
    `{"type":"LinuxKernelTrap","level":"Info","facility":"Kern","trap":{"type":"Segfault","location":${address(location)}},` +
    `"procname":"service-${program}","pid":${1000 + (index % 4_000_000)},"ip":${address(0x1eec + place)},"sp":${address(0x9000_0000 + index * 8)},` +
    '"errcode":{"reason":"NoPageFound","access_type":"Read","access_mode":"User","use_of_reserved_bit":false,' +
    '"instruction_fetch":false,"protection_keys_block_access":false},' +
    `"file":"libservice-${program}.so","vmastart":${address(0)},"vmasize":${huge ? address(1_540_096) : 1_540_096}}`
  );
}

function dump(index: number, program: number): string {
  const hex = (value: number) => value.toString(16).padStart(16, '0');
  const layout = program * LAYOUT;
  return (
    `{"type":"LinuxFatalSignal","level":"Info","facility":"Kern","signal":"SIGSEGV","stack_dump":{"Comm":"service-${program}","PID":"${1000 + index}",` +
    `"CPU":"1","UID":"33","RIP":"0033:0x${(0x7fd7_0f40_1eec + layout + (index % 3) * 4096).toString(16)}","RSP":"002b:00007ffd${hex(index).slice(8)}","EFLAGS":"00010246",` +
    `"ORIG_RAX":"ffffffffffffffff","RAX":"${hex(index % 7)}","RDI":"${hex(0x7f00_0000_0000 + (index % 5) * 64)}","RSI":"${hex(0)}","FS":"${hex(0x7fa5_7c6d_9740 + layout)}","GS":"${hex(0)}"}}`
  );
}

function suppressed(index: number): string {
  return `{"type":"LinuxSuppressedCallback","level":"Warning","facility":"Kern","function_name":"show_signal_msg","count":${index % 40}}`;
}
