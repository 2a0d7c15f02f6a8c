import { Box } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { waitingRequestsQuery } from '../api/exceptions.ts';
import { may, type Profile } from '../api/session.ts';
import { numberText } from '../language/numbers.ts';
import { PageLink } from '../parts/page-link.tsx';
import { APP_TEXT } from './text.ts';

/** For administrators: how many requests for exceptions wait for them, with a link to these. */
export function ExceptionRequestsNotice({ profile }: { readonly profile: Profile }) {
  const { data: waiting = 0 } = useQuery({ ...waitingRequestsQuery, enabled: may(profile, 'admin') });
  if (waiting === 0) return null;
  return (
    <PageLink
      to="/exceptions"
      search={{ tab: 'requests' }}
      size="sm"
      underline="always"
      aria-label={APP_TEXT.exceptionRequests(waiting)}
      title={APP_TEXT.exceptionRequests(waiting)}
    >
      <Box component="span" visibleFrom="sm">
        {APP_TEXT.exceptionRequests(waiting)}
      </Box>
      {/* A phone has no room for the words. */}
      <Box component="span" hiddenFrom="sm">
        {numberText(waiting)}
      </Box>
    </PageLink>
  );
}
