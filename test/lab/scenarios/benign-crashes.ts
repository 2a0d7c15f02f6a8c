import { paced } from '../pace.ts';
import type { Lab, Scenario } from '../scenario.ts';

/** Runs the crashing program repeatedly, with a different input each time or always the same input. */
async function restarts(lab: Lab, fault: string, count: number, perSecond: number, always?: number): Promise<void> {
  const executable = await lab.crasher();
  const inputs = Array.from({ length: count }, () => String(always ?? lab.random.between(1, 2 ** 31)));
  await paced(inputs, perSecond, (input) => lab.crash(executable, [fault, input]));
}

const benign = (name: string, note: string, dumps: boolean, run: Scenario['run']): Scenario => ({
  name: `b-${name}`,
  note,
  dumps,
  any: [],
  run,
});

export const BENIGN_CRASHES: readonly Scenario[] = [
  benign('crash-loop', 'a worker that dies at the same instruction and is executed again', true, (lab) =>
    restarts(lab, 'null-write', 40, 4),
  ),
  {
    ...benign('abort-hours', 'a daemon that aborts and is executed again, once in about 2 minutes', true, (lab) =>
      restarts(lab, 'damaged-record', 150, 20, 13 * 17),
    ),
    stretch: 2400,
  },
  benign('recursion', 'a parser without a depth limit: the stack ends in one of two functions', false, (lab) =>
    restarts(lab, 'recursion', 40, 2),
  ),
  benign('recursion-dumps', 'the same with dumps', true, (lab) => restarts(lab, 'recursion', 40, 4)),
  benign('wild-copy', 'a copy with a damaged length, executed again', false, (lab) =>
    restarts(lab, 'wild-copy', 40, 2),
  ),
  benign('wild-copy-forked', 'the same in children of one parent, with dumps', true, async (lab) =>
    lab.crash(await lab.crasher(), ['forked-copies', '60']),
  ),
  benign('use-after-free', 'freed memory used at three places', true, (lab) => restarts(lab, 'use-after-free', 40, 4)),
  benign('fuzzer', 'a fuzzer on a reader with six faults, stock settings', false, (lab) =>
    restarts(lab, 'damaged-record', 500, 50),
  ),
  benign('fuzzer-dumps', 'a fuzzer on a reader with six faults, with dumps', true, (lab) =>
    restarts(lab, 'damaged-record', 200, 20),
  ),
  benign('generated-code', 'generated code that loads from a bad address, each time elsewhere', false, (lab) =>
    restarts(lab, 'generated-code', 30, 2),
  ),
  benign('assertion-loop', 'workers that fail an assertion and are forked again after a pause', true, async (lab) => {
    const [workers, pauseMs] = [lab.random.between(2, 8), lab.random.between(1000, 3000)];
    await lab.crash(await lab.crasher(), ['assertion-loop', String(workers), String(pauseMs)], 20_000);
  }),
];
