import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startControlPlane } from '../cluster/control-plane.ts';
import { run } from '../run.ts';
import type { Tools } from '../tools/build-tools.ts';
import { type ObjectSchemas, type OpenApiSchema, strictSchemas } from './strict-schemas.ts';

export const SCHEMAS = fileURLToPath(new URL('../../deploy/kubernetes/schemas.json', import.meta.url));

/** The kinds of the chart that Kubernetes itself defines. */
const KINDS = [
  'v1/ConfigMap',
  'v1/Pod',
  'v1/Service',
  'apps/v1/DaemonSet',
  'apps/v1/Deployment',
  'apps/v1/StatefulSet',
  'autoscaling/v2/HorizontalPodAutoscaler',
  'batch/v1/Job',
  'networking.k8s.io/v1/Ingress',
  'networking.k8s.io/v1/NetworkPolicy',
  'policy/v1/PodDisruptionBudget',
];

/**
 * Writes the schemas of the chart's kinds to `SCHEMAS`: Kubernetes kinds from a running API server, custom resources
 * from the Go types of their projects.
 */
export async function recordSchemas(tools: Tools, report: (line: string) => void): Promise<void> {
  const home = await mkdtemp(path.join(tmpdir(), 'trapline-schemas-'));
  const plane = await startControlPlane(tools.kube, home);
  try {
    const { definitions } = JSON.parse(await plane.kubectl('get', '--raw=/openapi/v2')) as {
      readonly definitions: Readonly<Record<string, OpenApiSchema>>;
    };
    const known = strictSchemas(definitions, KINDS);
    const custom = JSON.parse(await run(tools.types, [])) as ObjectSchemas;
    const schemas: ObjectSchemas = {
      objects: { ...known.objects, ...custom.objects },
      definitions: { ...known.definitions, ...custom.definitions },
    };
    await writeFile(SCHEMAS, `${JSON.stringify(schemas)}\n`);
    report(`${Object.keys(schemas.objects).length} kinds, ${Object.keys(schemas.definitions).length} definitions`);
  } finally {
    await plane.stop();
    await rm(home, { recursive: true, force: true });
  }
}
