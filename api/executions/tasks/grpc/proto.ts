import type { Method, Root } from 'protobufjs';
import type { ResourceReference } from '../../engine/contract/call-task.ts';
import type { Documents } from '../documents/documents.ts';
import { taskFailure } from '../failures.ts';
import type { TaskContext } from '../port.ts';

/** Maximum size of a proto file with all imports. Parsing blocks this process. */
const MAX_CHARACTERS = 256 * 1024;
const MAX_FILES = 20;
/** Files included in the library: well-known types. */
const BUNDLED = /^google\/protobuf\/(?:any|duration|empty|field_mask|struct|timestamp|wrappers)\.proto$/;

/**
 * Fetches and parses a proto file and its imports. Resolves relative imports against its address. Rejects with
 * `TaskFailure`.
 */
export async function readProto(
  reference: ResourceReference,
  { documents, context }: { readonly documents: Documents; readonly context: TaskContext },
): Promise<Root> {
  const { default: protobuf } = await import('protobufjs');
  const problem = (detail: string) => taskFailure('configuration', context.step, `the proto file: ${detail}`);
  const root = new protobuf.Root();
  const begun = new Set<string>();
  let characters = 0;

  async function load(endpoint: string): Promise<void> {
    if (begun.has(endpoint)) return;
    begun.add(endpoint);
    if (begun.size > MAX_FILES) throw problem(`it imports more than ${MAX_FILES} files`);
    const text = await documents.text({ ...reference, endpoint }, context);
    characters += text.length;
    if (characters > MAX_CHARACTERS) throw problem(`it has more than ${MAX_CHARACTERS} characters with its imports`);
    let imports: readonly string[];
    try {
      // Keeps field names unchanged.
      imports = protobuf.parse(text, root, { keepCase: true }).imports ?? [];
    } catch (error) {
      throw problem(error instanceof Error ? error.message : 'it cannot be read');
    }
    for (const name of imports) {
      if (BUNDLED.test(name)) root.addJSON(protobuf.common.get(name)?.nested ?? {});
      else await load(addressOf(name, endpoint));
    }
  }

  function addressOf(name: string, from: string): string {
    const url = URL.parse(name, from);
    // Only the same origin, because the credentials of the reference are sent.
    if (url === null || url.origin !== URL.parse(from)?.origin) throw problem(`the import ${name} has another origin`);
    return url.href;
  }

  await load(reference.endpoint);
  try {
    root.resolveAll();
    return root;
  } catch (error) {
    throw problem(error instanceof Error ? error.message : 'it names unknown types');
  }
}

/** Returns a method of a service, or undefined. */
export function methodOf(root: Root, service: string, method: string): Method | undefined {
  try {
    return root.lookupService(service).methods[method];
  } catch {
    return undefined;
  }
}
