/** Optional features of definitions, which the operator can enable. Disabled by default. */
export interface EngineFeatures {
  /** `run: shell`. */
  readonly shell: boolean;
  /** `run: container`. */
  readonly containers: boolean;
  /** Enables `volumes` and `ports` of containers. */
  readonly containerVolumes?: boolean;
  readonly containerPorts?: boolean;
  /** If false, `resource` of a schema is rejected, because releases do not fetch it. */
  readonly schemaResources?: boolean;
}
