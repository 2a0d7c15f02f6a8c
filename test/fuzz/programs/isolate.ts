import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, type FaultKind, isSameFault } from './faults.ts';
import { type Budgets, type Session, startSession } from './session.ts';
import { shrinkText } from './shrink.ts';
import type { Unit } from './units.ts';

const MAX_SUSPECTS = 80;
/** Longer than the interval of one second in which the probe reports. */
const REPORTED_MS = 1_200;

/**
 * Finds the case that causes a fault: submits each suspect alone to a service that only this function uses, then
 * shrinks the text of the culprit for as long as it shows the same fault. Resolves to undefined if no suspect shows the
 * fault alone.
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

/** Returns each case as a separate unit, attack templates first. */
function singles(suspects: readonly Unit[]): Unit[] {
  const all = suspects.flatMap((unit) => unit.cases.map((one): Unit => ({ ...unit, cases: [one] })));
  const general = (unit: Unit) => /\/(?:valid|grammar|program|mutated)/.test(unit.cases[0]?.template ?? '');
  return [...all.filter((unit) => !general(unit)), ...all.filter(general)].slice(0, MAX_SUSPECTS);
}

export interface Trial {
  /** Resolves to true if this unit alone shows the fault. */
  shows(unit: Unit): Promise<boolean>;
  stop(): Promise<void>;
}

/** Uses one service for many attempts. Replaces it after an attempt that showed the fault. */
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
