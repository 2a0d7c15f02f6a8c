import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Body } from '../../api/client.ts';
import { isOvertaken } from '../../api/failure.ts';
import { showDone, showFailure } from '../../parts/show-failure.tsx';
import { caseQuery, changeCase, type WholeCase } from './queries.ts';
import { CASES_TEXT } from './text.ts';

export type CaseChange = NonNullable<Body<'patch', '/api/cases/{id}'>>;

/** Changes the fields of a case. Never overwrites fields that another user changed since they were loaded. */
export function useCase(of: WholeCase) {
  const queries = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [overtaken, setOvertaken] = useState(false);

  /** Resolves with true if the change was made. */
  async function change(wanted: CaseChange): Promise<boolean> {
    setBusy(true);
    try {
      const now = await changeCase(of, wanted);
      queries.setQueryData(caseQuery(of.id).queryKey, now);
      setOvertaken(false);
      showDone(CASES_TEXT.page.changed);
      await queries.invalidateQueries({ queryKey: ['cases'] });
      return true;
    } catch (error) {
      if (!isOvertaken(error)) {
        showFailure(error);
        return false;
      }
      setOvertaken(true);
      await queries.invalidateQueries({ queryKey: ['cases'] });
      return true;
    } finally {
      setBusy(false);
    }
  }
  return { busy, overtaken, change };
}
