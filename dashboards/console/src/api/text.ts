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
    rejected: 'Correct the input and retry.',
    tooManyRequests: (seconds: number) => `Retry in ${seconds} s.`,
    byStatus: {
      401: 'Your session has ended. Sign in again.',
      403: 'Ask an administrator for access.',
      404: 'It may have been removed. Go back to the list.',
      409: 'It may have changed since you loaded it. Reload and retry.',
      412: 'Another user changed it. Reload and retry.',
      413: 'The request is larger than the server accepts. Send it in parts.',
      503: 'The server recovers without a restart. Retry in a moment.',
    } as Readonly<Record<number, string>>,
  },
  /** A problem that the API reports, in English. */
  issue: (_code: string, message: string) => message,
  noMessage: (status: number) => `status ${status}`,
} as const);
