import type { JsonValue } from '#api/executions/json-value.ts';
import { decideTool, type Permissions, strictest } from '../permissions/decide-tool.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { type Tool, ToolFailure } from './tool.ts';
import type { AskPerson } from './tool-approvals.ts';

export interface GuardDeps {
  /** Permissions at acceptance, and at the start of this attempt. The stricter decision applies. */
  readonly permissions: readonly Permissions[];
  /**
   * Returns the permissions at the time of a call, so a revocation applies immediately. Default: as at the start of the
   * attempt.
   */
  readonly readCurrent?: (() => Promise<Permissions>) | undefined;
  /**
   * False if the run has no journal, because it could not wait for decisions when it began. A call that needs a
   * decision is then denied.
   */
  readonly canWait?: boolean;
  readonly journal: Journal;
  readonly ask: AskPerson;
}

/**
 * Wraps tools with permission checks on the validated arguments of each call, independent of the prompt. Calls with a
 * recorded result return it.
 */
export function guardTools(
  tools: readonly Tool[],
  { permissions, journal, ask, readCurrent, canWait = true }: GuardDeps,
): Tool[] {
  /** Set when a call ends the run. Calls queued behind it are not made. */
  let ended: { readonly by: unknown } | undefined;
  const counts = new Map<string, number>();

  async function guarded(tool: Tool, given: JsonValue, signal: AbortSignal): Promise<JsonValue> {
    if (ended !== undefined) throw ended.by;
    signal.throwIfAborted();
    const checked = tool.check(given);
    const entry = journal.next(['tool', tool.name, checked]);
    const position = counts.get(tool.name) ?? 0;
    counts.set(tool.name, position + 1);
    if (entry.recorded !== undefined) {
      const answer = answerOf(entry.recorded);
      return tool.inMemory === true ? tool.call(given, signal, position) : answer;
    }
    try {
      await permit(tool.name, checked, entry);
      const answer = await tool.call(given, signal, position);
      await entry.record(tool.inMemory === true ? {} : { answer });
      return answer;
    } catch (error) {
      if (error instanceof ToolFailure) await entry.record({ error: error.message });
      else ended ??= { by: error };
      throw error;
    }
  }

  async function permit(name: string, checked: JsonValue, entry: JournalEntry): Promise<void> {
    const current = readCurrent === undefined ? [] : [await readCurrent()];
    const decision = strictest([...permissions, ...current].map((one) => decideTool(one, name, checked)));
    if (decision === 'allow') return;
    if (decision !== 'ask' || !canWait) throw new ToolFailure(`the permissions of the agent deny this call of ${name}`);
    const outcome = await ask(name, checked, entry);
    if (!outcome.approved) throw new ToolFailure(outcome.declined);
  }

  return tools.map((tool) => ({
    ...tool,
    call: (given, signal) => journal.inOrder(() => guarded(tool, given, signal)),
  }));
}

/** Returns the recorded result, or throws the recorded failure. */
function answerOf(recorded: JsonValue): JsonValue {
  const { answer = null, error } = recorded as { readonly answer?: JsonValue; readonly error?: string };
  if (error !== undefined) throw new ToolFailure(error);
  return answer;
}
