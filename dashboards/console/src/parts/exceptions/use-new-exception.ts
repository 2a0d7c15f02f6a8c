import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type Body, call } from '../../api/client.ts';
import { exceptionPolicyQuery, refreshExceptions } from '../../api/exceptions.ts';
import { showDone } from '../show-failure.tsx';
import { PARTS_TEXT } from '../text.ts';
import { exceptionCreatedText } from './exception-created-text.ts';

type NewException = NonNullable<Body<'post', '/api/exceptions'>>;

/**
 * Creates an exception if the user may, otherwise requests it. `mayCreate` is undefined while the policy is loading.
 * `save` rejects with the error of the API. The notification states which of the two happened.
 */
export function useNewException() {
  const queries = useQueryClient();
  const { data, error } = useQuery(exceptionPolicyQuery);
  const mayCreate = data?.mayCreate;

  async function save(body: NewException): Promise<'created' | 'requested'> {
    if (mayCreate === true) {
      const created = await call('post', '/api/exceptions', { body });
      await refreshExceptions(queries);
      showDone(exceptionCreatedText(created));
      return 'created';
    }
    await call('post', '/api/exception-requests', { body });
    await refreshExceptions(queries);
    showDone(PARTS_TEXT.exceptions.requested);
    return 'requested';
  }

  return { mayCreate, error, save };
}
