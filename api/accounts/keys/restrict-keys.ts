import type { FastifyRequest } from 'fastify';
import fp from 'fastify-plugin';
import type { KeyRestrictions } from '#api/http/access/caller.ts';
import { apiError } from '#api/http/api-error.ts';
import { createProxyCheck } from '#api/http/limits/client-address.ts';
import { wholeSeconds } from '#api/http/limits/refusal.ts';
import { type KeyedLimit, type SharedState, SharedStateUnavailable } from '#api/shared-state/port.ts';
import type { KeyUsage } from './key-usage.ts';
import { routeGroup, routeRight } from './restrictions.ts';

export interface RestrictKeysDeps {
  readonly shared: Pick<SharedState, 'windows'>;
  readonly usage: KeyUsage;
  /**
   * Returns the workflow or agent of an execution, as `workflow:<id>` and `workflow:<name>`, or the same with `agent`.
   * Empty if the execution does not exist.
   */
  readonly resourcesOfExecution: (executionId: string) => Promise<readonly string[]>;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * Enforces the restrictions of a key after the guard has verified it: networks, workflows and agents, limits. Counts
 * the requests of each key. While the shared state is unavailable, the limits of keys are not enforced; those of
 * addresses are.
 */
export const restrictKeys = fp<RestrictKeysDeps>(
  async (app, { shared, usage, resourcesOfExecution }) => {
    const networkChecks = new WeakMap<KeyRestrictions, (address: string) => boolean>();

    function isFrom(restrictions: KeyRestrictions, address: string): boolean {
      let check = networkChecks.get(restrictions);
      if (check === undefined) {
        check = createProxyCheck(restrictions.networks);
        networkChecks.set(restrictions, check);
      }
      return check(address);
    }

    async function mayCall({ resources }: KeyRestrictions, request: FastifyRequest): Promise<boolean> {
      const { url = '' } = request.routeOptions;
      const right = routeRight(resources, url, request.params as Record<string, string | undefined>);
      if (typeof right === 'string') return right === 'permitted';
      return (await resourcesOfExecution(right.execution)).some((resource) => resources.includes(resource));
    }

    async function count(keyId: string, { requestsPerMinute, requestsPerDay }: KeyRestrictions): Promise<void> {
      const wanted: KeyedLimit[] = [
        ...(requestsPerMinute === null
          ? []
          : [{ key: `key-minute:${keyId}`, limit: requestsPerMinute, windowMs: MINUTE_MS }]),
        ...(requestsPerDay === null ? [] : [{ key: `key-day:${keyId}`, limit: requestsPerDay, windowMs: DAY_MS }]),
      ];
      if (wanted.length === 0) return;
      const counted = await shared.windows.take(wanted).catch((error: unknown) => {
        if (error instanceof SharedStateUnavailable) return undefined;
        throw error;
      });
      if (counted === undefined || counted.allowed) return;
      throw apiError('rate_limited', 'the limit of requests of this key is reached', undefined, {
        'retry-after': String(wholeSeconds(counted.resetMs)),
      });
    }

    async function enforce(keyId: string, restrictions: KeyRestrictions, request: FastifyRequest): Promise<void> {
      if (restrictions.networks.length > 0 && !isFrom(restrictions, request.clientAddress))
        throw apiError('forbidden', 'the key may not be used from this address');
      if (!(await mayCall(restrictions, request)))
        throw apiError('forbidden', 'the key is restricted to named workflows and agents');
      await count(keyId, restrictions);
    }

    // Most keys have no restrictions, so their requests create no promise.
    app.addHook('onRequest', (request, _reply, done) => {
      const { caller } = request;
      if (caller?.kind !== 'key' && caller?.kind !== 'host') return done();
      const note = () => usage.note(caller.keyId, routeGroup(request.routeOptions.url ?? ''));
      const restrictions = caller.kind === 'key' ? caller.restrictions : undefined;
      if (restrictions === undefined) {
        note();
        return done();
      }
      enforce(caller.keyId, restrictions, request).then(() => {
        note();
        done();
      }, done);
    });
  },
  { name: 'restrict-keys', dependencies: ['guard'] },
);
