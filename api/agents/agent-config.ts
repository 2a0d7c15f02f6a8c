import { z } from 'zod';
import { mcpServersSchema } from './mcp/mcp-config.ts';
import { modelSchema } from './model-config.ts';
import { permissionsSchema } from './permissions/permission-config.ts';

const schemaDocument = z.record(z.string(), z.unknown());

/** Maximum and default of each limit of a run. A configuration above the maximum is rejected. */
export const RUN_LIMITS = {
  /** Time of the whole run, in ms. */
  timeMs: { most: 3_600_000, default: 600_000 },
  /** Processor time of a script, in ms. */
  computeMs: { most: 60_000, default: 5_000 },
  memoryMb: { most: 256, default: 64 },
  /** Number of model calls. */
  steps: { most: 100, default: 20 },
  /** Total input and output tokens of all model calls. */
  tokens: { most: 5_000_000, default: 200_000 },
  /** Credits, by the prices of the configuration. */
  credits: { most: 1_000_000, default: 1_000_000 },
  /** Number of tool calls. */
  toolCalls: { most: 10_000, default: 1_000 },
} as const;
export type RunLimitName = keyof typeof RUN_LIMITS;
export type RunLimits = Readonly<Record<RunLimitName, number>>;

const limit = (name: RunLimitName) => z.number().min(1).max(RUN_LIMITS[name].most).optional();

/** Tools that an agent can be given. Its permissions decide which it may use. */
export const TOOL_NAMES = [
  'files.list',
  'files.read',
  'files.write',
  'workspace.write',
  'detections.list',
  'detections.get',
  'events.list',
  'workflows.run',
  'http.fetch',
] as const;

/** Schema of the configuration of an agent. Unknown keys are kept unchanged. */
export const agentConfigSchema = z
  .looseObject({
    runtime: z
      .enum(['script', 'model'])
      .describe('script: JavaScript of the workspace; model: a language model')
      .optional(),
    entry: z.string().max(512).describe('Script of the workspace; default agent.js').optional(),
    model: modelSchema.optional(),
    tools: z
      .array(z.enum(TOOL_NAMES))
      .max(TOOL_NAMES.length)
      .describe('Tools that it is given; without permissions it may use them without restrictions')
      .optional(),
    permissions: permissionsSchema.optional(),
    mcpServers: mcpServersSchema.optional(),
    inputSchema: schemaDocument.describe('JSON Schema that inputs must match').optional(),
    outputSchema: schemaDocument
      .describe('JSON Schema of the output; default the file output.schema.json of the workspace')
      .optional(),
    limits: z
      .looseObject(Object.fromEntries(Object.keys(RUN_LIMITS).map((name) => [name, limit(name as RunLimitName)])))
      .optional(),
  })
  .describe('How the agent runs');
export type AgentConfig = z.infer<typeof agentConfigSchema>;

/** Parses a stored configuration, which was validated when it was stored. */
export function readConfig(stored: Record<string, unknown>): AgentConfig {
  return agentConfigSchema.parse(stored);
}

/** A secret and its destination: the origin of an address, or `installation` for the model of the installation. */
export interface SecretUse {
  readonly secret: string;
  readonly to: string;
}

/** Returns the secret of a model and its destination. */
export function secretUseOf({ apiKeySecret, baseUrl }: NonNullable<AgentConfig['model']>): SecretUse[] {
  if (apiKeySecret === undefined) return [];
  return [{ secret: apiKeySecret, to: baseUrl === undefined ? 'installation' : new URL(baseUrl).origin }];
}

/** Returns the secrets of the owner that a run uses, with their destinations. */
export function secretUsesOf({ model = {}, mcpServers = {} }: AgentConfig): SecretUse[] {
  const ofServers = Object.values(mcpServers).flatMap(({ url, headers = {} }) =>
    Object.values(headers).map(({ secret }) => ({ secret, to: new URL(url).origin })),
  );
  return [...secretUseOf(model), ...ofServers];
}

/** Returns the path of the first file that the runtime reads. */
export function sourceOf({ runtime, entry = DEFAULT_ENTRY }: Pick<AgentConfig, 'runtime' | 'entry'>): string {
  return runtime === 'model' ? INSTRUCTIONS_FILE : entry;
}

/** Returns the limits of a run: configured values or defaults. */
export function limitsOf({ limits = {} }: AgentConfig): RunLimits {
  const chosen = Object.entries(RUN_LIMITS).map(([name, { default: preset }]) => [
    name,
    (limits as Record<string, number | undefined>)[name] ?? preset,
  ]);
  return Object.fromEntries(chosen) as RunLimits;
}

export const DEFAULT_ENTRY = 'agent.js';
export const OUTPUT_SCHEMA_FILE = 'output.schema.json';
export const INSTRUCTIONS_FILE = 'AGENT.md';
