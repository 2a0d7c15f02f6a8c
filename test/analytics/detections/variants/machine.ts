import { at, dump, hex, suppressed, trap } from '#analytics/detections/rule-case.ts';
import type { AcceptedEvent } from '#schemas/events/accepted.ts';
import type { EventType } from '#schemas/events/event.ts';
import type { SeededRandom } from '#test/support/seeded-random.ts';

/** One program image in memory, as `execve` lays it out. Forks share it. */
export interface Image {
  readonly exe: string;
  /** Size of the text mapping of the executable. */
  readonly size: number;
  readonly text: number;
  readonly library: number;
  readonly stack: number;
  /** Thread pointer; 0 in 32-bit programs. */
  readonly thread: number;
}

/** A crash, whether or not the kernel logs it. */
export interface Crash {
  /** Seconds after the start. */
  readonly time: number;
  readonly host: string;
  readonly comm: string;
  readonly pid: number;
  readonly image: Image;
  readonly kind: 'segfault' | 'fetch' | 'protection' | 'opcode' | 'abort';
  readonly ip: number;
  /** The mapped file that contains the instruction pointer. */
  readonly file: string | null;
  /** The address that was accessed. */
  readonly location: number;
  readonly write: boolean;
  readonly sp: number;
  /** The journal entry of an abort. */
  readonly witness?: 'assertion' | 'stack-smashing';
  readonly build?: string;
}

/**
 * What the host logs: trap lines within the rate limit of the kernel; trap lines and dumps of fatal signals; or every
 * crash by `detect --from tracefs`.
 */
export type Logging = 'stock' | 'dumps' | 'traced';

const PAGE = 4_096;
export const LIBRARY = 'libc.so.6';
export const MUSL = 'ld-musl-x86_64.so.1';
const LIBRARY_SIZE = 0x15_5000;

/** A random 64-bit layout: 28 bits of entropy for mappings, 22 for pages of the stack. */
export function drawImage(random: SeededRandom, exe: string, size = 0x10_0000): Image {
  const library = 0x7f00_0000_0000 + random.between(0, 2 ** 28 - 1) * PAGE;
  return {
    exe,
    size,
    text: 0x5500_0000_0000 + random.between(0, 2 ** 28 - 1) * PAGE,
    library,
    stack: 0x7ffc_0000_0000 + random.between(0, 2 ** 21) * PAGE + 16 * random.between(64, 255),
    thread: library - 0x28c0,
  };
}

/** A random 32-bit layout: 8 bits of entropy for mappings, 11 for pages of the stack. */
export function drawImage32(random: SeededRandom, exe: string, size = 0x10_0000): Image {
  return {
    exe,
    size,
    text: 0x5650_0000 + random.between(0, 255) * PAGE,
    library: 0xf7c0_0000 + random.between(0, 255) * PAGE,
    stack: 0xff80_0000 + random.between(0, 2 ** 11 - 1) * PAGE + 16 * random.between(64, 255),
    thread: 0,
  };
}

type At = Pick<Crash, 'time' | 'host' | 'comm' | 'pid' | 'image'>;

/** An invalid memory access by an instruction of the executable or a library. */
export function fault(of: At, random: SeededRandom, offset: number, over: Partial<Crash> = {}): Crash {
  const file = over.file === undefined ? of.image.exe : over.file;
  const base = file === of.image.exe ? of.image.text : of.image.library;
  return {
    ...of,
    kind: 'segfault',
    ip: base + offset,
    file,
    // Drawn in two steps, because one draw has 32 bits.
    location: random.between(0, 2 ** 30) * PAGE + random.between(0, PAGE - 1),
    write: random.next() < 0.5,
    sp: of.image.stack - 8 * random.between(0, 200),
    ...over,
  };
}

/** A jump to an unmapped address. */
export function jumpTo(of: At, random: SeededRandom, target: number): Crash {
  return { ...fault(of, random, 0, { file: null }), kind: 'fetch', ip: target, location: target, write: false };
}

/** `abort()` of the C library. */
export function abortOf(of: At, random: SeededRandom, witness?: Crash['witness']): Crash {
  const crash = fault(of, random, 0x9_1eec, { file: LIBRARY });
  return { ...crash, kind: 'abort', ...(witness === undefined ? {} : { witness }) };
}

const PRINTED = 10;
const INTERVAL = 5;

interface Limiter {
  begin: number;
  printed: number;
  missed: number;
}

/**
 * Returns what the hosts log of these crashes. The rate limit is that of lib/ratelimit.c, shared by all trap lines of a
 * host.
 */
export function logCrashes(crashes: readonly Crash[], logging: Logging): AcceptedEvent[] {
  const limiters = new Map<string, Limiter>();
  return crashes
    .toSorted((a, b) => a.time - b.time)
    .flatMap((crash) => {
      const events: AcceptedEvent[] = [];
      if (crash.witness !== undefined) events.push(witnessed(crash));
      let trapped: EventType | undefined;
      if (crash.kind !== 'abort') {
        const limiter = limiters.get(crash.host) ?? { begin: crash.time, printed: 0, missed: 0 };
        limiters.set(crash.host, limiter);
        if (crash.time - limiter.begin > INTERVAL) {
          if (limiter.missed > 0) events.push(at(crash.time, suppressed(limiter.missed), crash.host));
          Object.assign(limiter, { begin: crash.time, printed: 0, missed: 0 });
        }
        if (limiter.printed < PRINTED) trapped = trapOf(crash);
        limiter[trapped === undefined ? 'missed' : 'printed'] += 1;
      }
      if (logging === 'traced') {
        const traced = trapped === undefined ? tracedOf(crash) : { ...trapped, signal: signalOf(crash) };
        events.push(at(crash.time, traced as EventType, crash.host));
        return events;
      }
      if (trapped !== undefined) events.push(at(crash.time, trapped, crash.host));
      if (logging === 'dumps') events.push(at(crash.time + 0.000_1, dumpOf(crash), crash.host));
      return events;
    });
}

function mappingOf({ image, file }: Crash) {
  if (file === null) return { file: null, vmastart: null, vmasize: null };
  const isText = file === image.exe;
  return { file, vmastart: isText ? image.text : image.library, vmasize: isText ? image.size : LIBRARY_SIZE };
}

function trapOf(crash: Crash): EventType {
  const { ip, sp, pid, comm, kind, location, write, build } = crash;
  const types = {
    segfault: { type: 'Segfault', location },
    fetch: { type: 'Segfault', location },
    protection: { type: 'GeneralProtectionFault' },
    opcode: { type: 'InvalidOpcode' },
    abort: { type: 'Generic', description: '' },
  } as const;
  const event = trap(ip, {
    sp,
    pid,
    procname: comm,
    trap: types[kind],
    errcode: {
      access_mode: 'User',
      access_type: write ? 'Write' : 'Read',
      instruction_fetch: kind === 'fetch',
      protection_keys_block_access: false,
      reason: 'NoPageFound',
      use_of_reserved_bit: false,
    },
    ...mappingOf(crash),
  });
  return (build === undefined ? event : { ...event, file_build_id: build }) as EventType;
}

function signalOf({ kind }: Crash): 'SIGIOT' | 'SIGILL' | 'SIGSEGV' {
  if (kind === 'abort') return 'SIGIOT';
  return kind === 'opcode' ? 'SIGILL' : 'SIGSEGV';
}

function dumpOf(crash: Crash): EventType {
  const { ip, sp, pid, comm, image, kind, location } = crash;
  const isAbort = kind === 'abort';
  return dump(
    {
      Comm: comm,
      PID: String(pid),
      RIP: `0033:0x${ip.toString(16)}`,
      RSP: `002b:${hex(sp)}`,
      ORIG_RAX: isAbort ? hex(0xea) : 'f'.repeat(16),
      RDI: hex(isAbort ? pid : Math.floor(location / 16) * 16),
      RSI: hex(isAbort ? pid : (location * 7) % 2 ** 40),
      FS: hex(image.thread),
    },
    signalOf(crash),
  );
}

/** The event of a crash that only the kernel trace reports. */
function tracedOf(crash: Crash): EventType {
  const registers = { Comm: crash.comm, PID: String(crash.pid), RIP: `0x${crash.ip.toString(16)}` };
  return { ...dump(registers, signalOf(crash)), ...mappingOf(crash) } as EventType;
}

function witnessed({ time, host, comm, pid, witness }: Crash): AcceptedEvent {
  const event = { ...dump({ Comm: comm, PID: String(pid) }, 'SIGIOT'), witness } as EventType;
  return at(time - 0.001, event, host);
}
