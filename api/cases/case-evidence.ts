import type { StoredContent } from '#api/executions/files/contents.ts';
import { MAX_CASE_FILES } from '#schemas/case-terms.ts';
import { CaseRefused } from './case-refused.ts';
import { afterOnly, type CaseTransactions, entryOf } from './case-transactions.ts';
import type { CaseChangedBy } from './changed-by.ts';
import { newId } from './new-id.ts';
import { type CaseFile, deleteCaseFile, filesOfCase, findCaseFile, insertCaseFile } from './tables/case-files.ts';
import { insertLinkedExecution, type LinkedExecution } from './tables/linked-executions.ts';

/** Changes of the files and executions of a case. */
export interface CaseEvidence {
  addFile(id: string, file: StoredContent & { readonly filename: string }, by: CaseChangedBy): Promise<CaseFile>;
  removeFile(id: string, fileId: string, by: CaseChangedBy): Promise<void>;
  linkExecution(
    id: string,
    execution: Pick<LinkedExecution, 'executionId' | 'kind' | 'name'>,
    by: CaseChangedBy,
  ): Promise<void>;
}

export function createCaseEvidence({ onCase }: CaseTransactions): CaseEvidence {
  return {
    addFile: (id, { filename, contentHash, size }, by) =>
      onCase(id, by, async (_row, transaction, at) => {
        if ((await filesOfCase(transaction, id)).length >= MAX_CASE_FILES)
          throw new CaseRefused({ code: 'full', problem: `a case has at most ${MAX_CASE_FILES} files` });
        const { actor: addedBy, username } = by;
        const row = { id: newId('file'), caseId: id, filename, contentHash, size, addedAt: at, addedBy, username };
        await insertCaseFile(transaction, row);
        const file = { id: row.id, filename, size, sha256: contentHash };
        return { entry: entryOf('file_added', { file }, 'case.file', afterOnly({ file })), result: row };
      }),

    removeFile: (id, fileId, by) =>
      onCase(id, by, async (_row, transaction) => {
        const found = await findCaseFile(transaction, id, fileId);
        if (found === undefined) throw new CaseRefused({ code: 'not_found', what: 'file in the case' });
        await deleteCaseFile(transaction, found);
        const file = { id: fileId, filename: found.filename, size: found.size, sha256: found.contentHash };
        return { entry: entryOf('file_removed', { file }, 'case.file', { file: { before: file } }), result: undefined };
      }),

    linkExecution: (id, execution, by) =>
      onCase(id, by, async (_row, transaction) => {
        const { actor, username } = by;
        if (!(await insertLinkedExecution(transaction, { subject: id, ...execution, actor, username })))
          return { result: undefined };
        const entry = entryOf('execution_linked', { execution }, 'case.execution', afterOnly({ execution }));
        return { entry, result: undefined };
      }),
  };
}
