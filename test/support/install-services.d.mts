/** Types of `install-services.mjs`, which is plain JavaScript because it runs before the pinned Node is installed. */
export const KAFKA_VERSION: string;
export const REGISTRY_VERSION: string;
export const ZOOKEEPER_VERSION: string;
export function servicesCache(env?: NodeJS.ProcessEnv): string;
export function serviceFiles(cache?: string): ServiceFiles;
export function registryJar(files?: ServiceFiles): string;
export function prometheusProgram(name: 'prometheus' | 'promtool', files?: ServiceFiles): string | undefined;
export function pgBouncerProgram(
  files?: ServiceFiles,
): { readonly command: string; readonly libraries: string } | undefined;
export function installFakeTime(log: (line: string) => void): Promise<string>;
export function dockerAnswers(env?: NodeJS.ProcessEnv): Promise<boolean>;
export function installServices(options?: {
  log?: (line: string) => void;
  env?: NodeJS.ProcessEnv;
}): Promise<ServiceFiles>;
export interface ServiceFiles {
  readonly kafkaJars: string;
  readonly kafkaClasses: string;
  readonly registryClasses: string;
  readonly registry: string;
  readonly zooKeeperJars: string;
  readonly prometheus: string;
  readonly pgbouncer: string;
  readonly fakeTime: string;
}
