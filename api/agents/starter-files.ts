import { Buffer } from 'node:buffer';
import { DEFAULT_ENTRY, INSTRUCTIONS_FILE, OUTPUT_SCHEMA_FILE } from './agent-config.ts';

export interface StarterFile {
  readonly path: string;
  readonly bytes: Buffer;
  readonly contentType: string;
}

/** Returns the initial files of a workspace: instructions, a working script, and a schema that accepts every object. */
export function starterFiles(agent: { readonly name: string; readonly description: string }): StarterFile[] {
  const instructions = `# ${agent.name.replaceAll(/\s+/g, ' ')}

${agent.description || 'Say here what the agent is for, what it is given, and what it has to answer.'}

- Runtime \`model\`: this file is the instructions of the model. The model answers with JSON that fits \`${OUTPUT_SCHEMA_FILE}\`.
- Runtime \`script\`: \`${DEFAULT_ENTRY}\` is run. It sees \`input\` and \`tools\`; its last value is the output.
`;
  const script = `// Sees input, and the tools that the configuration permits (files, detections, events, workflows, http …). The last value is the output.
const files = await tools.files.list({ kind: 'input' });
({ input, inputFiles: files.map(({ path, size }) => ({ path, size })) });
`;
  const schema = `${JSON.stringify({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'object' }, null, 2)}\n`;
  return [
    { path: INSTRUCTIONS_FILE, bytes: Buffer.from(instructions), contentType: 'text/markdown' },
    { path: DEFAULT_ENTRY, bytes: Buffer.from(script), contentType: 'text/javascript' },
    { path: OUTPUT_SCHEMA_FILE, bytes: Buffer.from(schema), contentType: 'application/json' },
  ];
}
