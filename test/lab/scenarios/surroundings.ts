import { copyFile } from 'node:fs/promises';
import { paced } from '../pace.ts';
import type { Lab, Scenario } from '../scenario.ts';

const scenario = (name: string, note: string, dumps: boolean, rest: Pick<Scenario, 'run' | 'aliases'>): Scenario => ({
  name: `b-${name}`,
  note,
  dumps,
  any: [],
  ...rest,
});

/** Returns random inputs for a program. */
const inputsOf = (lab: Lab, count: number): string[] =>
  Array.from({ length: count }, () => String(lab.random.between(1, 2 ** 31)));

const TOOLS = ['lab-as', 'lab-cc', 'lab-ld', 'lab-make', 'lab-node', 'lab-perl', 'lab-sh', 'lab-xz'] as const;
const SERVICES = ['lab-api', 'lab-cron', 'lab-dns', 'lab-mail', 'lab-sync', 'lab-web'] as const;
const KINDS = ['lab-renderer', 'lab-gpu-process', 'lab-utility', 'lab-zygote', 'lab-network'] as const;

/** Harmless crashes with a cause outside the program: its machine, sandbox or supervisor, or an update. */
export const SURROUNDINGS: readonly Scenario[] = [
  scenario('bad-memory', 'bits of the text of eight programs change: each of them fails at random places', false, {
    aliases: [...TOOLS],
    async run(lab) {
      const programs = await Promise.all(TOOLS.map((name) => lab.faulty(name)));
      await paced(inputsOf(lab, 60), 2, (input) =>
        lab.crash(programs[Number(input) % programs.length] as string, ['flipped-bits', input]),
      );
    },
  }),
  scenario('one-damaged-program', 'bits of the text of one program change, executed again each time', false, {
    async run(lab) {
      const program = await lab.faulty();
      await paced(inputsOf(lab, 45), 2, (input) => lab.crash(program, ['flipped-bits', input]));
    },
  }),
  scenario('replaced-library', 'a library is overwritten in place while six services use it', false, {
    aliases: [...SERVICES],
    async run(lab) {
      const [programs, library] = await Promise.all([
        Promise.all(SERVICES.map((name) => lab.faulty(name))),
        lab.library('liblab.so'),
      ]);
      await paced(inputsOf(lab, 30), 2, async (input) => {
        const copy = `${library}.${input}`;
        await copyFile(library, copy);
        await lab.crash(programs[Number(input) % programs.length] as string, ['replaced-library', input, copy]);
      });
    },
  }),
  scenario('sandbox', 'a sandbox ends the program at a system call that it forbids', true, {
    async run(lab) {
      const program = await lab.faulty();
      await paced(inputsOf(lab, 60), 5, (input) => lab.crash(program, ['forbidden-call', input]));
    },
  }),
  scenario('debugger', 'breakpoints that a debugger left in two functions', true, {
    async run(lab) {
      const program = await lab.faulty();
      await paced(inputsOf(lab, 50), 5, (input) => lab.crash(program, ['traced', input]));
    },
  }),
  scenario('watchdog', 'a supervisor aborts workers that do not answer, and forks them again', true, {
    run: async (lab) => lab.crash(await lab.faulty(), ['stuck-workers', '150'], 60_000),
  }),
  scenario('family', 'children of five kinds with names of their own, which crash at one place', true, {
    aliases: [...KINDS],
    run: async (lab) => lab.crash(await lab.faulty(), ['family', '80'], 60_000),
  }),
];
