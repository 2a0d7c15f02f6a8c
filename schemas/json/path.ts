const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Names come from the record. The limit prevents a long name from inflating logs and stored rows. */
const MAX_NAME_CHARACTERS = 100;

/** One step of a JSON path: `.name`, or `["strange name"]`. Long names are truncated and end with `…`. */
export function memberStep(name: string): string {
  if (PLAIN_NAME.test(name) && name.length <= MAX_NAME_CHARACTERS) return `.${name}`;
  return `[${JSON.stringify(name.length > MAX_NAME_CHARACTERS ? `${name.slice(0, MAX_NAME_CHARACTERS)}…` : name)}]`;
}

/** Converts a JSON pointer (RFC 6901) into `root` to a JSON path: `/event/list/0` becomes `$.event.list[0]`. */
export function pathOfPointer(root: unknown, pointer: string): string {
  let path = '$';
  let here: unknown = root;
  for (const step of pointer.split('/').slice(1)) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    path += Array.isArray(here) ? `[${name}]` : memberStep(name);
    here = member(here, name);
  }
  return path;
}

/** Returns the value at a JSON pointer, or undefined. */
export function valueAtPointer(root: unknown, pointer: string): unknown {
  let here: unknown = root;
  for (const step of pointer.split('/').slice(1)) {
    here = member(here, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return here;
}

/** Returns the JSON path of the member `name` of `holder`, an object somewhere inside `root`. */
export function pathOfMember(root: unknown, holder: object, name: string | number): string {
  const path = pathOfObject(root, holder, '$') ?? '$';
  return typeof name === 'number' ? `${path}[${name}]` : path + memberStep(name);
}

function pathOfObject(here: unknown, wanted: object, path: string): string | undefined {
  if (here === wanted) return path;
  if (typeof here !== 'object' || here === null) return undefined;
  for (const [name, inner] of Object.entries(here)) {
    if (typeof inner !== 'object') continue;
    const found = pathOfObject(inner, wanted, Array.isArray(here) ? `${path}[${name}]` : path + memberStep(name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function member(holder: unknown, name: string): unknown {
  return typeof holder === 'object' && holder !== null && Object.hasOwn(holder, name)
    ? (holder as Record<string, unknown>)[name]
    : undefined;
}
