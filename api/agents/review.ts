import type { Readable } from 'node:stream';
import { findProfile } from '#api/accounts/tables/users.ts';
import type { Contents, StoredContent } from '#api/executions/files/contents.ts';
import { findClash } from '#api/executions/files/safe-path.ts';
import {
  countExpectedFiles,
  deleteExecutionFiles,
  type ExecutionFile,
  type ExecutionFileKind,
  findExecutionFile,
  listExecutionFiles,
  putExecutionFiles,
} from '#api/executions/tables/execution-files.ts';
import { userOf } from '#api/http/access/caller.ts';
import { type ApiError, apiError } from '#api/http/api-error.ts';
import type { Database, Db } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { type Requester, requireChange, viewerOf } from './requester.ts';
import { type AgentExecution, findAgentExecution, lockAgentExecution } from './tables/agent-executions.ts';
import { changeFeedback, clearFeedback, type FeedbackAuthor, type FeedbackChange } from './tables/agent-feedback.ts';
import { requirePath } from './workspace.ts';

/** Maximum number of expected files per execution. */
const MAX_EXPECTED = 200;

/** An execution with feedback and expectations. */
export interface Reviewed {
  readonly execution: AgentExecution;
  readonly expectedFiles: readonly ExecutionFile[];
}

/**
 * Feedback and expectations of executions of agents. All calls reject with `ApiError` if something does not exist, is
 * forbidden or invalid.
 */
export interface Review {
  read(requester: Requester, executionId: string): Promise<Reviewed>;
  change(requester: Requester, executionId: string, change: FeedbackChange): Promise<Reviewed>;
  /** Deletes the feedback and all expectations. */
  clear(requester: Requester, executionId: string): Promise<Reviewed>;
  /** Adds or replaces an expected file. Resolves to the stored name. */
  addExpected(requester: Requester, executionId: string, name: string, content: StoredContent): Promise<string>;
  copyOutput(
    requester: Requester,
    executionId: string,
    outputName: string,
    expectedName: string | undefined,
  ): Promise<string>;
  /** Rejects a name that is already taken. */
  renameExpected(requester: Requester, executionId: string, name: string, next: string): Promise<string>;
  removeExpected(requester: Requester, executionId: string, name: string): Promise<void>;
  open(
    requester: Requester,
    executionId: string,
    kind: ExecutionFileKind,
    name: string,
  ): Promise<{ file: ExecutionFile; stream: Readable }>;
}

/** Creates the review. Long: its functions share the lock on the execution. */
export function createReview({
  database,
  contents,
}: {
  readonly database: Database;
  readonly contents: Contents;
}): Review {
  const read = async (requester: Requester, executionId: string): Promise<Reviewed> => {
    const execution = await findAgentExecution(database, executionId, viewerOf(requester));
    if (execution === undefined) throw missing();
    return { execution, expectedFiles: await listExecutionFiles(database, [executionId], ['expected']) };
  };

  /** Runs a change in one transaction with the execution locked, which serializes concurrent changes. */
  async function changing<T>(
    requester: Requester,
    executionId: string,
    work: (db: Db, execution: AgentExecution) => Promise<T>,
  ): Promise<T> {
    return inTransaction(database, async (transaction) => {
      const execution = await lockAgentExecution(transaction, executionId, viewerOf(requester));
      if (execution === undefined) throw missing();
      requireChange(execution);
      return work(transaction, execution);
    });
  }

  async function add(
    db: Db,
    executionId: string,
    file: Parameters<typeof putExecutionFiles>[2][number],
  ): Promise<string> {
    const there = (await listExecutionFiles(db, [executionId], ['expected'])).map(({ path }) => path);
    const others = there.filter((path) => path !== file.path);
    if (others.length >= MAX_EXPECTED) throw apiError('invalid_value', `must have at most ${MAX_EXPECTED} files`);
    if (findClash([...others, file.path]) !== undefined)
      throw apiError('invalid_value', 'the name clashes with that of another file', 'name');
    await putExecutionFiles(db, executionId, [file]);
    await countExpectedFiles(db, executionId);
    return file.path;
  }

  return {
    read,
    async change(requester, executionId, change) {
      await changing(requester, executionId, async (db, execution) =>
        changeFeedback(db, execution, change, await reviewerOf(db, requester)),
      );
      return read(requester, executionId);
    },
    async clear(requester, executionId) {
      await changing(requester, executionId, async (db) => {
        await deleteExecutionFiles(db, executionId, ['expected']);
        await clearFeedback(db, executionId);
      });
      return read(requester, executionId);
    },
    addExpected: (requester, executionId, name, { contentHash, size, contentType }) => {
      const path = requirePath(name, 'name');
      return changing(requester, executionId, (db) =>
        add(db, executionId, { kind: 'expected', path, contentHash, size, contentType }),
      );
    },
    copyOutput: (requester, executionId, outputName, expectedName = outputName) => {
      const from = requirePath(outputName, 'outputFileName');
      const path = requirePath(expectedName, 'expectedName');
      return changing(requester, executionId, async (db) => {
        const output = await findExecutionFile(db, executionId, 'output', from);
        if (output === undefined) throw apiError('not_found', 'there is no such output file', 'outputFileName');
        const { contentHash, size, contentType } = output;
        return add(db, executionId, { kind: 'expected', path, contentHash, size, contentType });
      });
    },
    renameExpected: (requester, executionId, name, next) => {
      const from = requirePath(name, 'filename');
      const path = requirePath(next, 'name');
      return changing(requester, executionId, async (db) => {
        const file = await findExecutionFile(db, executionId, 'expected', from);
        if (file === undefined) throw missing('there is no such file');
        if (path === from) return path;
        if ((await findExecutionFile(db, executionId, 'expected', path)) !== undefined)
          throw apiError('invalid_value', 'another file has this name', 'name');
        const { contentHash, size, contentType } = file;
        await deleteExecutionFiles(db, executionId, ['expected'], from);
        return add(db, executionId, { kind: 'expected', path, contentHash, size, contentType });
      });
    },
    removeExpected: (requester, executionId, name) => {
      const path = requirePath(name, 'filename');
      return changing(requester, executionId, async (db) => {
        if ((await deleteExecutionFiles(db, executionId, ['expected'], path)) === 0)
          throw missing('there is no such file');
        await countExpectedFiles(db, executionId);
      });
    },
    async open(requester, executionId, kind, name) {
      const path = requirePath(name, 'filename');
      const execution = await findAgentExecution(database, executionId, viewerOf(requester));
      if (execution === undefined) throw missing();
      const file = await findExecutionFile(database, executionId, kind, path);
      if (file === undefined) throw missing('there is no such file');
      return { file, stream: await contents.read(file.contentHash) };
    },
  };
}

function missing(message = 'there is no such execution'): ApiError {
  return apiError('not_found', message);
}

/** Returns the author of feedback. A key acts for its owner. */
async function reviewerOf(db: Db, { caller }: Requester): Promise<FeedbackAuthor> {
  const userId = userOf(caller);
  if (userId === undefined) return { actor: 'operator', email: null, sessionId: null };
  if (caller.kind === 'session') return { actor: userId, email: caller.email, sessionId: caller.sessionId };
  const profile = await findProfile(db, userId);
  return { actor: userId, email: profile?.email ?? null, sessionId: null };
}
