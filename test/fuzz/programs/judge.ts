import type { Case } from './cases/case.ts';
import type { Answer } from './client.ts';
import type { Ended } from './executions.ts';
import type { FaultKind } from './faults.ts';
import { failureName, internalText, type OutcomeName } from './outcomes.ts';

/** Reports a fault. `cases` are its possible causes. */
export type ReportCases = (kind: FaultKind, detail: string, cases: readonly Case[]) => void;

/** Judges the service's responses to these cases and reports faults. */
export interface Judge {
  /** Expects a clear refusal: a 4xx with a message that explains the error. */
  refusal(answer: Answer): void;
  /** Judges any status other than 200 as a refusal. */
  ok(answer: Answer): void;
  /** Judges the end of an execution. Undefined: the execution did not end. */
  end(ended: Ended | undefined): OutcomeName;
  /** Judges an error that a workflow caught. */
  caught(type: unknown, detail: unknown): OutcomeName;
  wrongResult(expected: unknown, got: unknown): void;
}

export interface Issue {
  readonly field?: unknown;
  readonly message?: unknown;
}

export function judgeOf(reportCases: ReportCases, cases: readonly Case[]): Judge {
  const report = (kind: FaultKind, detail: string): void => reportCases(kind, detail, cases);

  function refusal(answer: Answer): void {
    const shown = `${answer.status} ${answer.text.slice(0, 500)}`;
    if (answer.status >= 500) {
      report('server-error', shown);
      return;
    }
    const messages = issuesOf(answer).map(({ message }) => message);
    const internal = messages.map((message) => internalText(String(message))).find((text) => text !== undefined);
    if (internal !== undefined) report('unclear-refusal', internal);
    else if (messages.length === 0 || messages.some((message) => typeof message !== 'string' || message.trim() === ''))
      report('unclear-refusal', shown);
  }

  return {
    refusal,
    ok(answer) {
      if (answer.status !== 200) refusal(answer);
    },
    end(ended) {
      if (ended === undefined) {
        report('no-outcome', 'an execution is not in a final state one minute after it was cancelled');
        return 'cancelled';
      }
      const { status, error } = ended;
      if (error.includes('Engine failure')) report('internal-failure', error.slice(0, 500));
      if (status === 'completed') return 'completed';
      return status === 'failed' || status === 'rejected' ? failureName(error) : 'cancelled';
    },
    caught(type, detail) {
      const text = `${String(type)} ${String(detail)}`;
      // An expression or a script may throw any text. Errors of definitions and schemas are written by the service and
      // must expose no internal failure.
      const internal = /errors\/(?:configuration|validation)/.test(text) ? internalText(text) : undefined;
      if (internal !== undefined) report('unclear-refusal', internal);
      return failureName(text);
    },
    wrongResult(expected, got) {
      report('wrong-result', `expected ${JSON.stringify(expected)}, got ${JSON.stringify(got)?.slice(0, 500)}`);
    },
  };
}

export function issuesOf({ body }: Answer): Issue[] {
  const { issues } = (body ?? {}) as { issues?: unknown };
  return Array.isArray(issues) ? (issues as Issue[]) : [];
}
