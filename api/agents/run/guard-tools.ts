import type { JsonValue } from '#api/executions/json-value.ts';
import { decideTool, type Permissions, strictest } from '../permissions/decide-tool.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { type Tool, ToolFailure } from './tool.ts';
import type { AskPerson } from './tool-approvals.ts';

export interface GuardDeps {
  /** Of the configuration that the run was accepted with, and of the one when this attempt began: the stricter decision holds. */
  readonly permissions: readonly Permissions[];
  /** Of the configuration when a call is made: what was taken away since holds at once. Default: as the attempt began. */
  readonly readCurrent?: (() => Promise<Permissions>) | undefined;
  /** False: the run keeps no journal, because it could not come to wait when it began. A call that would wait now is denied. */
  readonly canWait?: boolean;
  readonly journal: Journal;
  readonly ask: AskPerson;
}

/**
 * The tools with each call checked: the permissions are applied to the checked arguments when the call is made, whatever the prompt says. Calls with an
 * answer in the journal get it.
 */
export function guardTools(
  tools: readonly Tool[],
  { permissions, journal, ask, readCurrent, canWait = true }: GuardDeps,
): Tool[] {
  /** Set when the run ends by a call: those that were queued behind it are not made. */
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

/** A recorded answer, or the recorded failure of the call. */
function answerOf(recorded: JsonValue): JsonValue {
  const { answer = null, error } = recorded as { readonly answer?: JsonValue; readonly error?: string };
  if (error !== undefined) throw new ToolFailure(error);
  return answer;
}
