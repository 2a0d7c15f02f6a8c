import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, type FaultKind, isSameFault } from './faults.ts';
import { type Budgets, type Session, startSession } from './session.ts';
import { shrinkText } from './shrink.ts';
import type { Unit } from './units.ts';

const MAX_SUSPECTS = 80;
/** The probe reports once a second. */
const REPORTED_MS = 1_200;

/**
 * Finds the case that causes a fault: every suspect is submitted by itself to a service that only it uses, then the text of the culprit is made
 * smaller as long as it shows the same fault. Undefined: none of them shows it alone.
 */
export async function isolate(
  fault: Fault,
  budgets: Budgets,
  limitMs: number,
  note: (text: string) => void,
): Promise<Unit | undefined> {
  const until = Date.now() + limitMs;
  const trial = createTrial(fault.kind, budgets);
  try {
    for (const unit of singles(fault.suspects)) {
      if (Date.now() > until) break;
      if (!(await trial.shows(unit))) continue;
      const [culprit] = unit.cases;
      if (culprit === undefined) break;
      note(`shown by ${culprit.template} alone (${culprit.text.length} characters)`);
      const withText = (text: string): Unit => ({ ...unit, cases: [{ ...culprit, text }] });
      const isCase = (text: string) => culprit.kind !== 'schema' || isJson(text);
      const fails = async (text: string) => isCase(text) && (await trial.shows(withText(text)));
      const smallest = await shrinkText(culprit.text, fails, until);
      note(`made smaller to ${smallest.length} characters`);
      return withText(smallest);
    }
    return undefined;
  } finally {
    await trial.stop();
  }
}

/** Each case as a unit of its own; templates that are attacks before the others. */
function singles(suspects: readonly Unit[]): Unit[] {
  const all = suspects.flatMap((unit) => unit.cases.map((one): Unit => ({ ...unit, cases: [one] })));
  const general = (unit: Unit) => /\/(?:valid|grammar|program|mutated)/.test(unit.cases[0]?.template ?? '');
  return [...all.filter((unit) => !general(unit)), ...all.filter(general)].slice(0, MAX_SUSPECTS);
}

export interface Trial {
  /** Whether this unit alone shows the fault. */
  shows(unit: Unit): Promise<boolean>;
  stop(): Promise<void>;
}

/** One service for many attempts, replaced when one of them showed the fault. */
export function createTrial(kind: FaultKind, budgets: Budgets): Trial {
  let session: Session | undefined;
  let onShown = () => {};
  return {
    async shows(unit) {
      session ??= await startSession(budgets, 1, (fault) => {
        if (isSameFault(fault.kind, kind)) onShown();
      });
      const { promise: shown, resolve } = Promise.withResolvers<true>();
      onShown = () => resolve(true);
      session.resetMemory();
      const ended = submitted(session, unit).then(() => false);
      const result = await Promise.race([shown, ended]);
      if (result || !session.running) {
        await session.stop();
        session = undefined;
      }
      return result;
    },
    async stop() {
      await session?.stop();
    },
  };
}

async function submitted(session: Session, unit: Unit): Promise<void> {
  await session.submit(unit, 0);
  await session.settled();
  await pause(REPORTED_MS);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
