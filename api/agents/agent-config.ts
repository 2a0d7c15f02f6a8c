import { z } from 'zod';
import { mcpServersSchema } from './mcp/mcp-config.ts';
import { modelSchema } from './model-config.ts';
import { permissionsSchema } from './permissions/permission-config.ts';

const schemaDocument = z.record(z.string(), z.unknown());

/** Least and most of what a run may use; what is above is refused, what is not given is the default. */
export const RUN_LIMITS = {
  /** Of the whole run, ms. */
  timeMs: { most: 3_600_000, default: 600_000 },
  /** What a script computes itself, ms. */
  computeMs: { most: 60_000, default: 5_000 },
  memoryMb: { most: 256, default: 64 },
  /** Calls of the model. */
  steps: { most: 100, default: 20 },
  /** Of all its calls together, in and out. */
  tokens: { most: 5_000_000, default: 200_000 },
  /** By the prices of the configuration. */
  credits: { most: 1_000_000, default: 1_000_000 },
  /** Of the tools. */
  toolCalls: { most: 10_000, default: 1_000 },
} as const;
export type RunLimitName = keyof typeof RUN_LIMITS;
export type RunLimits = Readonly<Record<RunLimitName, number>>;

const limit = (name: RunLimitName) => z.number().min(1).max(RUN_LIMITS[name].most).optional();

/** Tools an agent can be given; its permissions say which of them it may use. */
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

/** What is known of an agent's configuration; other keys are kept as they are. */
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
    inputSchema: schemaDocument.describe('JSON Schema an input has to fit').optional(),
    outputSchema: schemaDocument
      .describe('JSON Schema of the output; default the file output.schema.json of the workspace')
      .optional(),
    limits: z
      .looseObject(Object.fromEntries(Object.keys(RUN_LIMITS).map((name) => [name, limit(name as RunLimitName)])))
      .optional(),
  })
  .describe('How the agent runs');
export type AgentConfig = z.infer<typeof agentConfigSchema>;

/** The configuration as it was stored; it was checked then. */
export function readConfig(stored: Record<string, unknown>): AgentConfig {
  return agentConfigSchema.parse(stored);
}

/** A secret, and where it is sent: the origin of an address, or `installation` for the model of the installation. */
export interface SecretUse {
  readonly secret: string;
  readonly to: string;
}

/** The secret of a model, and where it is sent. */
export function secretUseOf({ apiKeySecret, baseUrl }: NonNullable<AgentConfig['model']>): SecretUse[] {
  if (apiKeySecret === undefined) return [];
  return [{ secret: apiKeySecret, to: baseUrl === undefined ? 'installation' : new URL(baseUrl).origin }];
}

/** The secrets of the owner that a run uses, with where each is sent. */
export function secretUsesOf({ model = {}, mcpServers = {} }: AgentConfig): SecretUse[] {
  const ofServers = Object.values(mcpServers).flatMap(({ url, headers = {} }) =>
    Object.values(headers).map(({ secret }) => ({ secret, to: new URL(url).origin })),
  );
  return [...secretUseOf(model), ...ofServers];
}

/** Path of the file that its runtime begins with. */
export function sourceOf({ runtime, entry = DEFAULT_ENTRY }: Pick<AgentConfig, 'runtime' | 'entry'>): string {
  return runtime === 'model' ? INSTRUCTIONS_FILE : entry;
}

/** The limits of a run, each the configured or the default one. */
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
