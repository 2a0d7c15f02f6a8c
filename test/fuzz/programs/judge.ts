import type { Case } from './cases/case.ts';
import type { Answer } from './client.ts';
import type { Ended } from './executions.ts';
import type { FaultKind } from './faults.ts';
import { failureName, internalText, type OutcomeName } from './outcomes.ts';

/** Reports a fault; `cases` are those that can be its cause. */
export type ReportCases = (kind: FaultKind, detail: string, cases: readonly Case[]) => void;

/** Judges what the service answers to these cases, and reports what it must not answer. */
export interface Judge {
  /** What is not a success: a 4xx that says what is wrong. */
  refusal(answer: Answer): void;
  /** Anything but 200 is judged as a refusal. */
  ok(answer: Answer): void;
  /** Undefined: it did not end. */
  end(ended: Ended | undefined): OutcomeName;
  /** The error that a workflow caught. */
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
      // What an expression or a script throws is its own text; of definitions and schemas the service speaks.
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
