import { catalogue } from '../language/catalogue.ts';

/** Every text about a failed call: its title, and what the user can do. */
export const FAILURE_TEXT = catalogue('failure', {
  titles: {
    console: 'Error in the console',
    unreachable: "Can't reach the server",
    server: 'Server error',
    rejected: 'Request rejected',
    byStatus: {
      401: 'Not signed in',
      403: 'Not permitted',
      404: 'Not found',
      409: 'Conflict',
      412: 'Conflict',
      429: 'Too many requests',
      503: 'Service unavailable',
    } as Readonly<Record<number, string>>,
  },
  advice: {
    unreachable: 'Check that Trapline is running and that the network reaches it, then retry.',
    server: 'Retry, or send the request ID to your administrator.',
    rejected: 'Correct the input and try again.',
    tooManyRequests: (seconds: number) => `Retry in ${seconds} s.`,
    byStatus: {
      401: 'Your session has ended. Sign in again.',
      403: 'Your role does not permit this. Ask an administrator for the required role.',
      404: 'It may have been removed. Go back to the list.',
      409: 'It has changed since you loaded it. Reload and try again.',
      412: 'Another user changed it. Reload and try again.',
      413: 'The request is larger than the server accepts. Send it in parts.',
      503: 'A store of the server is unavailable. It recovers without a restart; retry in a moment.',
    } as Readonly<Record<number, string>>,
  },
  /** A problem that the API reports, in English. */
  issue: (_code: string, message: string) => message,
  noMessage: (status: number) => `status ${status}`,
} as const);
