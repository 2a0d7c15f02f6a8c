import { TRAP_EVENT } from '../../schemas/events/sample-event.ts';

const { event: TRAP } = TRAP_EVENT;
const PROCESS = {
  executable: '/usr/sbin/edge-gw',
  build_id: 'b1946ac92492d234',
  uid: 33,
  unit: 'edge-gw.service',
  parent: { pid: 1, name: 'systemd' },
  container: { id: 'c0ffee', runtime: 'containerd' },
  pod: { uid: '7a0f0c1e' },
};
const DUMP = { Comm: 'edge-gw', PID: '31425', RIP: '0033:0x7fd70f4f1eec', RSP: '002b:00007ffd5833d0c0', RAX: '0' };
const SIGNAL = { type: 'LinuxFatalSignal', level: 'Info', facility: 'Kern', signal: 'SIGSEGV', stack_dump: DUMP };

const text = (event: object, more: object = {}) => JSON.stringify({ ...TRAP_EVENT, ...more, event });

/** Texts of events whose columns the module writes. */
export const DECODED_EVENTS: Readonly<Record<string, string>> = {
  trap: text(TRAP),
  'trap above 2^53': text(TRAP).replace(/"ip":\d+/, '"ip":18446744073709551615'),
  'trap in UTC': text(TRAP, { timestamp: '2026-03-01T08:15:30.123456789Z' }),
  'trap without a fraction': text(TRAP, { timestamp: '2026-03-01T08:15:30-11:30' }),
  'trap without a host': text(TRAP, { hostname: null }),
  'trap of its process': text({ ...TRAP, process: PROCESS, signal: 'SIGSEGV', stack_dump: DUMP }),
  'trap with unexpected additions': text({
    ...TRAP,
    process: { uid: 99_999_999_999, executable: '' },
    signal: 'edge-gw',
  }),
  'generic trap': text({ ...TRAP, trap: { type: 'Generic', description: 'divide error' } }),
  'invalid opcode': text({
    ...TRAP,
    trap: { type: 'InvalidOpcode', location: 3 },
    file: null,
    vmastart: null,
    vmasize: null,
  }),
  signal: text(SIGNAL),
  'signal with a mapping': text({
    ...SIGNAL,
    process: PROCESS,
    file: 'libedge.so',
    vmastart: 140561012756480,
    vmasize: 1540096,
  }),
  'signal with a mapping of other types': text({ ...SIGNAL, process: 'edge-gw', file: 7, vmastart: '140561012756480' }),
  'suppressed callback': text({
    type: 'LinuxSuppressedCallback',
    level: 'Info',
    facility: 'Kern',
    function_name: 'show_signal_msg',
    count: 7,
  }),
};
