import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { detectEventsFromText } from '#ingest/detector/detect-events.ts';
import type { EventV1 } from '#schemas/events/v1.ts';

/** Kernel log entries that people published, with what they say; `␤` separates their lines. Addresses are hexadecimal. */
interface Entry {
  readonly id: string;
  readonly dialect: string;
  readonly expected: readonly Readonly<Record<string, string | null>>[];
  readonly text: string;
}

const ENTRIES: readonly Entry[] = readFileSync(new URL('fixtures/wild-lines.tsv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map((line) => {
    const [id = '', dialect = '', , , expected = '[]', text = ''] = line.split('\t');
    return { id, dialect, expected: JSON.parse(expected), text: text.replaceAll('␤', '\n') };
  });

/** Entries that are not read as they should be, by dialect. A dialect that is read must leave this list. */
const NOT_READ = new Set([
  // Without the address of the instruction nothing can be said exactly.
  'x86-gp-cut',
  // Other messages than the kernel's own traps and signals.
  'grsec-segv',
  'pax-exec',
  'wsl-capturecrash',
  // Prefixes of vendors before each line.
  'arm64-old-cpuprefix',
  'arm64-old-hisi',
  'arm64-old-logcat',
  // Architectures without a reader.
  'arm32-pagefault',
  'arm32-pagefault-old',
  'arm32-undef',
  'arm64-align',
  'arm64-undef',
  'mips-segv',
  'mips-segv-glued',
  'mips-segv-offset',
  'parisc-segv',
  'ppc32-old',
  'ppc32-segfault',
  'ppc64-ill',
  'ppc64-old',
  'ppc64-segfault',
  'riscv-ill',
  'riscv-segv',
  's390-fault',
  's390-fault-offset',
]);

const KINDS: Readonly<Record<string, string>> = {
  Segfault: 'segv',
  GeneralProtectionFault: 'gp',
  InvalidOpcode: 'ill',
  Generic: 'other',
};

function said({ event }: EventV1): Readonly<Record<string, string | null>> {
  const hex = (value: number | bigint) => BigInt(value).toString(16);
  if (event.type === 'LinuxSuppressedCallback')
    return { kind: 'supp', n: String(event.count), fn: event.function_name };
  if (event.type === 'LinuxFatalSignal') return { kind: 'signal', n: event.signal, p: event.stack_dump.Comm ?? null };
  if (event.type !== 'LinuxKernelTrap') return { kind: event.type };
  const loc = event.trap.type === 'Segfault' ? hex(event.trap.location) : null;
  return { kind: KINDS[event.trap.type] ?? '', p: event.procname, ip: hex(event.ip), loc, f: event.file ?? null };
}

/** What an entry does not tell (null) is not compared, but for the address that only a segmentation fault has. */
function isReadRight({ expected, text }: Entry): boolean {
  const found = detectEventsFromText(text, { hostname: null }).map(said);
  if (found.length !== expected.length) return false;
  return expected.every((one, at) =>
    Object.entries(one).every(([key, value]) => (value === null && key !== 'loc') || found[at]?.[key] === value),
  );
}

test.for(ENTRIES)('$id $dialect', (entry) => {
  expect(isReadRight(entry)).toBe(!NOT_READ.has(entry.dialect));
});

test('dialects that are not read are dialects of the list', () => {
  const dialects = new Set(ENTRIES.map(({ dialect }) => dialect));
  expect([...NOT_READ].filter((dialect) => !dialects.has(dialect))).toEqual([]);
});
