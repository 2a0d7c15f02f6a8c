/** Types of `apply.mjs`, which is plain JavaScript because it runs before the pinned Node is installed. */
export interface Edit {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}
export interface Correction {
  readonly name: string;
  readonly edits: readonly Edit[];
}
export interface PackagePatch {
  readonly name: string;
  readonly version: string;
  readonly sha256: Readonly<Record<string, string>>;
  readonly corrections: readonly Correction[];
}
export const PATCHES: readonly PackagePatch[];
export class PatchMismatch extends Error {}
export function applyPatches(options?: {
  log?: (line: string) => void;
  detail?: (line: string) => void;
  modules?: string;
  patches?: readonly PackagePatch[];
}): Promise<void>;
