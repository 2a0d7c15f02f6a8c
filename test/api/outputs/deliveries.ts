import { onTestFinished } from 'vitest';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import { OutputFailure } from '#api/outputs/port.ts';

/** A signal for deliveries that must end without being aborted. */
export const soon = () => AbortSignal.timeout(60_000);

/** Returns the failure of a delivery; undefined if it succeeded. */
export const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof OutputFailure ? error : undefined),
  );

/** Outbound requests that may reach `allow`; closed at the end of the test. */
export function outboundFetch(allow = ['127.0.0.0/8']) {
  const fetch = createOutboundFetch({ allow });
  onTestFinished(() => fetch.close());
  return { fetch };
}
