import type { FastifyInstance } from 'fastify';
import { type BaseDeps, buildBaseApp } from './base-app.ts';

/** Health and metrics alone: what processes that serve no API show to load balancers and Prometheus. */
export function buildStatusApp(deps: BaseDeps): Promise<FastifyInstance> {
  return buildBaseApp(deps);
}
