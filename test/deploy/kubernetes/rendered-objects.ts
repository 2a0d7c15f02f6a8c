import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseAllDocuments } from 'yaml';
import { RENDERED, valuesNames } from '#test/distribution/chart-source.ts';

/** The fields of Kubernetes objects that the tests of the chart read. */
export interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: Metadata & { readonly name: string };
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly data?: Readonly<Record<string, string>>;
}

interface Metadata {
  readonly labels?: Readonly<Record<string, string>>;
}

export interface PodTemplate {
  readonly metadata?: Metadata;
  readonly spec: PodSpec;
}

export interface PodSpec {
  readonly containers: readonly Container[];
  readonly volumes?: readonly Volume[];
  readonly terminationGracePeriodSeconds?: number;
}

interface Volume {
  readonly name: string;
  readonly projected?: { readonly sources: readonly Readonly<Partial<Record<'secret' | 'configMap', VolumeSource>>>[] };
}

interface VolumeSource {
  readonly items: readonly { readonly key: string; readonly path: string }[];
}

export interface Container {
  readonly name: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
  readonly securityContext?: object;
  readonly resources?: object;
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[];
}

export interface RenderedObject {
  /** Name of the values file in the folder `ci` of the chart. */
  readonly values: string;
  readonly object: KubernetesObject;
  /** Title for test names. */
  readonly title: string;
}

/** Renders the chart with each values file. Resolves to all objects. */
export async function renderedObjects(): Promise<RenderedObject[]> {
  const found = await Promise.all(
    (await valuesNames()).map(async (values) =>
      (await objectsOf(`${values}.yaml`)).map((object) => ({
        values,
        object,
        title: `${values}: ${object.kind} ${object.metadata.name}`,
      })),
    ),
  );
  return found.flat();
}

async function objectsOf(file: string): Promise<KubernetesObject[]> {
  const documents = parseAllDocuments(await readFile(path.join(RENDERED, file), 'utf8'));
  return documents.map((document) => document.toJS() as KubernetesObject | null).filter((object) => object !== null);
}
