import { PACKAGES } from './packages.ts';
import type { Import } from './read-imports.ts';
import { MAY_IMPORT } from './table.ts';

export type Imports = ReadonlyMap<string, readonly Import[]>;

/** Returns one line for each import that the table does not allow. */
export function forbiddenImports(imports: Imports): string[] {
  const problems: string[] = [];
  for (const [file, list] of imports)
    for (const { specifier, file: target, line } of list) {
      const problem = target === undefined ? packageProblem(file, specifier) : folderProblem(file, target, specifier);
      if (problem !== undefined) problems.push(`${file}:${line}: ${problem}`);
    }
  return problems;
}

function packageProblem(file: string, specifier: string): string | undefined {
  const rule = PACKAGES.find(({ name }) => name.test(specifier));
  if (rule === undefined || folderOf(file) === 'test') return undefined;
  if (rule.folders.some((folder) => isWithin(file, folder))) return undefined;
  return `only ${rule.folders.map((folder) => `${folder}/`).join(' and ')} may import ${specifier}: ${rule.why}`;
}

function folderProblem(file: string, target: string, specifier: string): string | undefined {
  const from = folderOf(file);
  const to = folderOf(target);
  if (from === undefined) return `the folder is missing in bin/imports/table.ts`;
  const allowed = (MAY_IMPORT[from] ?? '').split(' ');
  const fits = (folder: string) => folder === '*' || isWithin(target, folder);
  if (from !== to && !allowed.some(fits)) return `${from}/ may not import ${specifier}: see bin/imports/table.ts`;
  const leavesRoom = file.split('/')[0] !== target.split('/')[0];
  if (leavesRoom && !specifier.startsWith('#') && !isBuildFile(file, target))
    return `import another room by its name: #${target}`;
  if (leavesSubject(file, target) && !specifier.startsWith('#'))
    return `import another subject by its name: #${target}`;
  return undefined;
}

/** True if the files belong to two subjects of api/. `api/app.ts`, which joins the subjects, belongs to none. */
function leavesSubject(file: string, target: string): boolean {
  const [from, to] = [file, target].map((path) => /^api\/([^/]+)\//.exec(path)?.[1]);
  return from !== undefined && to !== undefined && from !== to;
}

/** bin/ is not in the imports map of package.json, and examples/ contains programs outside the project. */
function isBuildFile(file: string, target: string): boolean {
  return [file, target].some((path) => /^(bin|examples)\//.test(path)) || !target.includes('/');
}

/** Returns the folder of the table that contains a file. */
export function folderOf(file: string): string | undefined {
  const folders = Object.keys(MAY_IMPORT).filter((folder) => isWithin(file, folder));
  return folders.sort((a, b) => b.length - a.length)[0];
}

function isWithin(file: string, folder: string): boolean {
  return file.startsWith(`${folder}/`);
}

/**
 * Finds import cycles: groups of files in which each file imports every other one, directly or indirectly (strongly
 * connected components, Tarjan 1972).
 */
export function importCircles(imports: Imports): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const onStack = new Set<string>();
  const circles: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) as number);
    stack.push(file);
    onStack.add(file);
    for (const { file: target } of imports.get(file) ?? []) {
      if (target === undefined || !imports.has(target)) continue;
      if (!index.has(target)) visit(target);
      else if (!onStack.has(target)) continue;
      low.set(file, Math.min(low.get(file) as number, low.get(target) as number));
    }
    if (low.get(file) !== index.get(file)) return;
    const members = stack.splice(stack.indexOf(file));
    for (const member of members) onStack.delete(member);
    if (members.length > 1) circles.push(members.sort());
  };
  for (const file of imports.keys()) if (!index.has(file)) visit(file);
  return circles;
}
