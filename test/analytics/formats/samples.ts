import type { DeadLetterRecord, EventRecord } from '#analytics/formats/record.ts';
import type { Detection } from '#schemas/detection.ts';
import type { EventType, EventV1, KernelTrap } from '#schemas/events/versions/v1.ts';
import { stringifyExact } from '#schemas/json/stringify-exact.ts';
import { USER_READ } from '#test/schemas/events/sample-event.ts';

export const kernelTrap: KernelTrap = {
  type: 'LinuxKernelTrap',
  errcode: USER_READ,
  facility: 'Kern',
  level: 'Info',
  ip: 18446744073709551614n,
  sp: 0x7ffd5833d0c0,
  pid: 36275,
  procname: 'a.out',
  trap: { type: 'Segfault', location: 18446744073709551615n },
  file: 'a.out',
  vmasize: 4096,
  vmastart: 0x561bc8d8f000,
};

export const events = {
  kernelTrap,
  bareTrap: {
    ...kernelTrap,
    ip: 0,
    trap: { type: 'Generic', description: 'divide error' },
    file: null,
    vmasize: null,
    vmastart: null,
  },
  fatalSignal: {
    type: 'LinuxFatalSignal',
    facility: 'Kern',
    level: 'Warning',
    signal: 'SIGIOT',
    stack_dump: {
      Comm: 'edge-gw',
      PID: '4711',
      RIP: '0033:0x7fd70f4f1eec',
      RSP: '002b:00007ffd00000001',
      RDI: 'SECRET-DUMP-VALUE',
    },
  },
  suppressed: {
    type: 'LinuxSuppressedCallback',
    count: 9,
    facility: 'Kern',
    function_name: 'show_signal_msg',
    level: 'Warning',
  },
  configMismatch: {
    type: 'ConfigMismatch',
    key: 'kernel.print-fatal-signals',
    expected_value: '1',
    observed_value: '0',
  },
  registerProbe: {
    type: 'RegisterProbe',
    justification: { RegisterValues: ['0x1', '0x2', '0x3'] },
    message: 'Instruction pointer moves',
    procname: 'nginx',
    register: 'RIP',
  },
} as const satisfies Record<string, EventType>;

/** A time in 1974, so that seconds and milliseconds cannot be confused. */
const TIME = { seconds: 157_680_000, nanos: 123_456_789 };

export function record(event: EventType, over: Partial<EventV1> = {}): EventRecord {
  const whole: EventV1 = {
    version: 'V1',
    timestamp: '1974-12-31T01:00:00.123456789+01:00',
    hostname: 'web-1',
    event,
    ...over,
  };
  return { event: whole, time: TIME, raw: stringifyExact(whole) };
}

export const landed: EventRecord = {
  ...record(kernelTrap),
  identity: { topic: 'events.v1', partition: 3, offset: 42 },
  received: 1_700_000_000_000,
};

export const detection: Detection = {
  id: `det_${'0123456789abcdef'.repeat(2)}`,
  revision: 3,
  rule: { id: 'instruction-pointer-probe', version: 1, name: 'Instruction pointer probe' },
  severity: 'high',
  hostname: 'web-1',
  hosts: [],
  hostsTotal: 0,
  procname: 'edge-gw',
  file: 'edge-gw',
  register: 'ip',
  executable: '/usr/sbin/edge-gw',
  buildId: 'd1c3e919',
  uid: 33,
  parent: '/usr/lib/systemd/systemd',
  unit: 'edge.service',
  container: '3b8b55a8c6c2d2f4c9d0e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6',
  pod: '4d6e7f80-1a2b-4c3d-8e4f-5a6b7c8d9e0f',
  firstSeen: '2026-01-31T12:00:00.000000001Z',
  lastSeen: '2026-01-31T12:00:04.500000002Z',
  crashes: 10,
  suppressedAtLeast: 190,
  message: 'The instruction pointer moves',
  values: ['0x401100', '0x401102'],
  valuesTotal: 2,
  attack: [
    { tactic: 'TA0002', technique: 'T1203', name: 'Exploitation for Client Execution' },
    { tactic: 'TA0005', technique: 'T1562.006', name: 'Indicator Blocking' },
  ],
  evidenceCount: 10,
  risk: null,
  status: 'new',
  verdict: null,
  assignee: null,
  note: null,
  exception: null,
  event: { version: 'V1', timestamp: '2026-01-31T12:00:04.500000002Z', hostname: 'web-1', event: events.registerProbe },
};

export const tampering: Detection = {
  ...detection,
  rule: { id: 'detector-tampering', version: 1, name: 'Detector tampering' },
  severity: 'medium',
  hostname: null,
  procname: null,
  file: null,
  register: null,
  executable: null,
  buildId: null,
  uid: null,
  parent: null,
  unit: null,
  container: null,
  pod: null,
  values: [],
  valuesTotal: 0,
  attack: [],
  event: null,
};

/** An alert on the risk of a host. */
export const hostRisk: Detection = {
  ...tampering,
  rule: { id: 'host-risk', version: 1, name: 'Risk of a host' },
  hostname: 'web-1',
  risk: { score: 59.41, normalised: 56.12, level: 'Moderate' },
};

/** A scan over two hosts. */
export const campaign: Detection = {
  ...tampering,
  rule: { id: 'fleet-scan', version: 2, name: 'Scan spread over hosts' },
  hosts: ['web-1', 'web-2'],
  hostsTotal: 2,
};

export const deadLetter: DeadLetterRecord = {
  identity: { topic: 'events.v1', partition: 0, offset: 7 },
  received: 1_700_000_000_000,
  code: 'malformed_json',
  path: '$',
  message: 'the record is not JSON',
  raw: Buffer.from('{"version": "V1",'),
};

/**
 * Names that an attacker might choose: line breaks, separators and escapes of every format, terminal controls,
 * spreadsheet formulas.
 */
export const HOSTILE = [
  'a\nb',
  'a\r\nCEF:0|x|y|1|fake|fake|10|',
  'a|b\\c=d',
  'nul\0byte',
  '\x1b]0;owned\x07\x1b[2J',
  '\x9b31m',
  '=HYPERLINK("http://x","y")',
  '+1',
  '-1',
  '@SUM(1)',
  '\t=1',
  '\r=1',
  "'quoted",
  ' =1',
  'comma, "quote"',
  '\u202egnp.exe',
  '\u2028line\u2029para\u0085nel',
  '\ud800lone',
  'x'.repeat(5000),
] as const;
