/** What a type of event reports, and when a detector sends it. */
export const TYPE_MEANINGS: Readonly<Record<string, string>> = {
  LinuxKernelTrap:
    'The kernel stopped a process because of an illegal operation, such as an access to an unmapped address: the trap line of the kernel log.',
  LinuxFatalSignal:
    'A process got a fatal signal, with the registers at that moment: the dump that the kernel logs with `kernel.print-fatal-signals=1`. Only this event shows aborts.',
  LinuxSuppressedCallback:
    'The kernel dropped log lines because there were too many of them. Each dropped line can be a crash.',
  ConfigMismatch:
    'A kernel setting that the detector had set has another value. Crashes can be missing from the log since then.',
  RegisterProbe: 'A detector found a probe by itself. It is stored and listed, and rules do not see it.',
};

/**
 * Meanings of the fields that the schema does not describe, by path within the event. `Type.path` has priority over the
 * path alone.
 */
export const FIELD_MEANINGS: Readonly<Record<string, string>> = {
  version: 'Version of the format. Readers parse it first',
  timestamp: 'When the crash happened, RFC 3339, with up to nanoseconds. Rules use this time',
  hostname: 'Name of the host, the same in all its events. Rules judge each host by itself',
  event: 'One of the types below',
  type: 'Type of the event',
  facility: 'Facility of the log line',
  level: 'Level of the log line',
  ip: 'Instruction pointer',
  sp: 'Stack pointer',
  pid: 'Process id',
  procname: 'Name of the process, as the kernel writes it (up to 15 bytes)',
  trap: 'Kind of the trap',
  'trap.type': 'Kind of the trap',
  'trap.location': 'Required for `Segfault`: the address that the process accessed',
  'trap.description': 'Required for `Generic`: the text of the kernel about a trap of another kind',
  errcode: 'Error code of the page fault. All members are required',
  'errcode.access_mode': 'Who accessed the address: the program (`User`) or the kernel',
  'errcode.access_type': 'A read or a write',
  'errcode.instruction_fetch': 'True if the processor fetched an instruction: a jump to this address',
  'errcode.protection_keys_block_access': 'True if a memory protection key refused the access',
  'errcode.reason': 'No page is mapped at the address, or its protection refuses the access',
  'errcode.use_of_reserved_bit': 'True if a reserved bit of the page table was set',
  file: 'File that is mapped at the instruction pointer: the executable or a library',
  vmasize: 'Size of the mapping of that file, in bytes',
  vmastart: 'Address at which that file is mapped',
  signal: 'Name of the signal',
  stack_dump: 'Names and values of the dump as text, as the kernel writes them: `Comm`, `PID`, `RIP`, `RDI` and others',
  count: 'Number of dropped lines',
  function_name: 'Function of the kernel whose lines were dropped',
  key: 'Name of the setting',
  expected_value: 'Value that the detector had set',
  observed_value: 'Value that it found',
  justification: 'Exactly one of the members below',
  'justification.FullEvents': 'The events that show the probe',
  'justification.RegisterValues': 'The values of the register',
  'justification.EventCount': 'The number of events',
  message: 'What the probe means, in a sentence',
  register: 'Name of the register that was probed',
};
