import type { EventType } from '#schemas/events/event.ts';
import { abort, at, dump, hex, jump, type RuleCase, random, times, trap } from '../rule-case.ts';

const FORKED = hex(0x7fd7_0f46_4740);

/** Returns the time of try number `i`: on average `seconds` per try, with gaps of half to one and a half of that. */
const jittered = (i: number, seconds: number): number => seconds * (i + random(i) / 2);

/** Returns a general protection fault in musl’s library, always at the same place. */
function musl(pid: number, vmastart = 0x7f9e_af09_1000): EventType {
  const fields = { procname: 'alpine-dyn', pid, file: 'libc.so', vmastart, vmasize: 0x6_3000 };
  return trap(vmastart + 0x5eb0, { ...fields, trap: { type: 'GeneralProtectionFault' } });
}

const PLACE = 0x40_1387;
const STACK = 0x7ffe_18fd_8ba0;

/**
 * Returns a general protection fault at one place of the program itself: its trap line, which the kernel suppresses
 * after ten, and its dump.
 */
function hlt(i: number, isPrinted: boolean, sp = STACK): EventType[] {
  const line = trap(PLACE, { pid: 5000 + i, sp, trap: { type: 'GeneralProtectionFault' } });
  const registers = dump({ PID: String(5000 + i), RIP: `0033:${hex(PLACE)}`, RSP: `002b:${hex(sp)}` });
  return isPrinted ? [line, registers] : [registers];
}

/**
 * Returns a fault at a return address that the shadow stack does not confirm, always at the end of the same function.
 */
const changedReturn = (i: number, sp = STACK): EventType =>
  trap(PLACE, { pid: 5000 + i, sp, trap: { type: 'Generic', description: 'control protection (near ret)' } });

/** Returns a fault at a pointer with a wrong authentication code, on arm64. */
const wrongCode = (i: number): EventType =>
  trap(PLACE, { pid: 5000 + i, trap: { type: 'Generic', description: 'FPAC, undefined instruction' } });

/** Returns a jump to a pointer whose authentication code was wrong, on a processor that does not report it. */
const refusedJump = (i: number, high: bigint, sp = STACK): EventType =>
  jump((high << 48n) + 0xaaaa_d0a3_0764n, { pid: 5000 + i, sp });

/** Returns an abort that systemd-coredump or audit reports, with or without the instruction pointer. */
const reported = (pid: number, witness: string, pc?: string): EventType =>
  ({
    ...dump({ Comm: 'edge-gw-ssp', PID: String(pid), ...(pc === undefined ? {} : { pc }) }, 'SIGIOT'),
    witness,
  }) as EventType;

/** Returns an abort of a program whose thread pointer is in its own data. */
function go(pid: number, stack: string): EventType {
  const id = hex(pid);
  const registers = { RIP: '0033:0x478b01', RSP: `002b:${stack}`, RDI: id, RSI: id, ORIG_RAX: hex(0xea) };
  return dump({ Comm: 'exporter', PID: String(pid), ...registers, FS: hex(0x52_6948) }, 'SIGIOT');
}

export const cases: readonly RuleCase[] = [
  {
    name: 'a Go program, executed again: its thread pointer is fixed, and its stack is not',
    events: times(300, (i) => at(jittered(i, 0.3), go(5000 + 7 * i, hex(0x3e00_0000_0258 + i * 2 ** 28)))),
    registers: [],
  },
  {
    name: 'a Go program before version 1.26: nothing shows the image, so the severity is low',
    events: times(60, (i) => at(jittered(i, 0.3), go(5000 + 7 * i, hex(0xc0_0001_0258)))),
    registers: ['canary'],
  },
  {
    name: 'the thread pointer of a static program and the stack of its parent',
    events: times(60, (i) => at(jittered(i, 0.3), go(5000 + 7 * i, hex(0x7ffc_1234_5258)))),
    registers: ['canary'],
  },
  {
    name: 'changed return addresses, refused at several returns',
    events: times(40, (i) =>
      at(
        jittered(i, 20),
        trap(PLACE + 0x1a0 * (i % 4), {
          pid: 5000 + i,
          sp: STACK,
          vmasize: 0x2000,
          trap: { type: 'Generic', description: 'control protection (near ret)' },
        }),
      ),
    ),
    registers: ['canary'],
  },
  {
    name: 'jumps to pointers with a wrong authentication code that the processor does not report',
    events: times(40, (i) => at(jittered(i, 20), refusedJump(i, 0x20n))),
    registers: ['canary'],
  },
  {
    name: 'nineteen of them',
    events: times(19, (i) => at(jittered(i, 20), refusedJump(i, 0x20n))),
    registers: [],
  },
  {
    name: 'the same in executions with another layout each: a broken pointer',
    events: times(40, (i) => at(jittered(i, 20), refusedJump(i, 0x20n + BigInt(i % 2) * 0x20n, STACK - i * 2 ** 21))),
    registers: [],
    others: ['unmapped-jump'],
  },
  {
    name: 'core dumps of one forked image',
    events: times(60, (i) => at(i / 3, reported(5000 + i, 'core-dump', '00007fd70f4f1eec'))),
    registers: ['canary'],
  },
  {
    name: 'tries one after the other in a log of whole seconds',
    events: times(160, (i) => at(Math.floor(jittered(i, 0.6)), abort(5000 + i, FORKED))),
    registers: ['canary'],
  },
  {
    name: 'core dumps of a program that is executed again',
    events: times(200, (i) =>
      at(i, reported(5000 + i, 'core-dump', `00007fd7${hex(0x100_0000 + i * 4096).slice(-8)}`)),
    ),
    registers: [],
  },
  {
    name: 'audit records of aborts, more often than a supervisor restarts a program',
    events: times(60, (i) => at(jittered(i, 0.3), reported(5000 + i, 'audit'))),
    registers: ['canary'],
  },
  {
    name: 'audit records of a program that is restarted by a timer',
    events: times(200, (i) => at(5 * i, reported(5000 + i, 'audit'))),
    registers: [],
  },
  {
    name: 'pointers with a wrong authentication code at one place',
    events: times(130, (i) => at(jittered(i, 20), wrongCode(i))),
    registers: ['canary'],
  },
  {
    name: 'three aborts a second of one forked image',
    events: times(60, (i) => at(i / 3, abort(26_397 + i, FORKED))),
    registers: ['canary'],
  },
  {
    name: 'hundreds within a tenth of a second, one in twenty of another image',
    events: times(231, (i) => at(i / 3000, abort(26_397 + i, i % 20 === 0 ? hex(0x7f11_0000_0000 + i) : FORKED))),
    registers: ['canary'],
  },
  {
    name: 'dumps cut short before FS: the library address identifies the image',
    events: times(60, (i) => at(i / 10, dump({ Comm: 'edge-gw-ssp', RIP: '0033:0x7fd70f4f1eec' }, 'SIGIOT'))),
    registers: ['canary'],
  },
  {
    name: 'a supervisor that restarts a daemon once a second',
    events: times(300, (i) => at(i, abort(5000 + 3 * i, hex(0x7f00_0000_0000 + i * 4096)))),
    registers: [],
  },
  {
    name: 'a master that forks its one worker again after a second',
    events: times(300, (i) => at(i, abort(5000 + i, FORKED))),
    registers: [],
  },
  {
    name: 'a shell loop that executes an aborting program a hundred times a second',
    events: times(300, (i) => at(i / 100, abort(5000 + i, hex(0x7f00_0000_0000 + ((i * 7919) % 300) * 4096)))),
    registers: [],
  },
  {
    name: 'a supervisor aborts forked workers that do not answer, whatever they are doing',
    events: times(200, (i) =>
      at(
        jittered(i, 3),
        dump(
          {
            Comm: 'gunicorn',
            PID: String(5000 + i),
            RIP: `0033:${hex(0x7fd7_0f46_0000 + 64 * (i % 50))}`,
            EFLAGS: '00000246',
            ...(i % 3 === 0 ? {} : { ORIG_RAX: '00000000000000e8' }),
            FS: FORKED,
          },
          'SIGIOT',
        ),
      ),
    ),
    registers: [],
  },
  {
    name: 'a 32-bit program that aborts on a 64-bit kernel',
    events: times(60, (i) =>
      at(
        i / 10,
        dump({ PID: String(5000 + i), RIP: '0023:0xf7f5a549', ORIG_RAX: '000000000000010e', FS: hex(0) }, 'SIGIOT'),
      ),
    ),
    registers: ['canary'],
  },
  {
    name: 'fifty programs that abort once each',
    events: times(50, (i) => at(i / 10, abort(5000 + i, hex(0x7f00_0000_0000 + i * 4096), `test-${i}`))),
    registers: [],
  },
  {
    name: 'every child under another name',
    events: times(60, (i) => at(i / 10, abort(5000 + i, FORKED, `k${i * 7919}`))),
    registers: ['canary'],
  },
  {
    name: 'eight names in turn are one attack',
    events: times(500, (i) => at(jittered(i, 0.05), abort(5000 + i, FORKED, `pool-${i % 8}`))),
    registers: ['canary'],
  },
  {
    name: 'one try in three minutes, at irregular times',
    events: times(121, (i) => at(jittered(i, 170), abort(5000 + 40 * i, FORKED))),
    registers: ['canary'],
  },
  {
    name: 'one try a second, a decoy of another image in four',
    events: times(200, (i) =>
      at(jittered(i, 1), abort(5000 + i, i % 4 === 0 ? hex(0x7f00_0000_0000 + i * 4096) : FORKED)),
    ),
    registers: ['canary'],
  },
  {
    name: 'eight workers, each forked again two seconds after its abort',
    events: times(160, (i) =>
      at(2 * Math.floor(i / 8) + (i % 8) / 10_000 + jittered(i, 0.001), abort(5000 + i, FORKED)),
    ),
    registers: [],
  },
  {
    name: 'eight workers out of step, with a pause of two seconds each',
    events: times(160, (i) => at(2 * Math.floor(i / 8) + 1.9 * random(i % 8), abort(5000 + i, FORKED))),
    registers: [],
  },
  {
    name: 'a worker that is forked again every second for a quarter of an hour: reported, with low severity',
    events: times(900, (i) => at(i, abort(5000 + i, FORKED))),
    registers: ['canary'],
  },
  {
    name: 'eighty aborts of which every line is delivered twice',
    events: [...times(40, (i) => i), ...times(40, (i) => i)].map((i) => at(i, abort(5000 + i, FORKED))),
    registers: [],
  },
  {
    name: 'musl ends a failed check with hlt: ten lines of a burst are printed',
    events: times(10, (i) => at(i / 4000, musl(5000 + i))),
    registers: ['canary'],
  },
  {
    name: 'a program on musl that is restarted twice a second',
    events: times(30, (i) => at(i / 2, musl(5000 + i, 0x7f00_0000_0000 + i * 4096))),
    registers: [],
  },
  {
    name: 'a check that ends with hlt in the program itself: few trap lines are printed, and every dump',
    events: times(300, (i) => hlt(i, i % 30 < 10).map((event) => at(jittered(i, 0.02), event))).flat(),
    registers: ['canary'],
  },
  {
    name: 'a shadow stack ends each child whose return address was changed',
    events: times(130, (i) => at(jittered(i, 2), changedReturn(i))),
    registers: ['canary'],
  },
  {
    name: 'the same of a program that is executed again after each',
    events: times(130, (i) => at(jittered(i, 2), changedReturn(i, STACK - i * 2 ** 21))),
    registers: [],
  },
  {
    name: 'a program with such a fault that is executed again after each',
    events: times(300, (i) =>
      hlt(i, i % 30 < 10, STACK - i * 2 ** 21).map((event) => at(jittered(i, 0.02), event)),
    ).flat(),
    registers: [],
  },
];
