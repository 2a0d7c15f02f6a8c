import { PRODUCT_VERSION } from '#schemas/product-version.ts';

/** Package metadata, the same for all formats. */
export const MANIFEST = {
  name: 'trapline-detector',
  version: PRODUCT_VERSION,
  summary: 'Detector for memory-exploit attacks',
  description:
    'Reads the kernel log, recognises crashes of programs and sends them as events to a Trapline server or to standard output.',
  license: 'Apache-2.0',
  maintainer: 'The Trapline authors <maintainers@trapline.example.org>',
} as const;

/** Processor architectures of the packages, in Node's names. */
export const ARCHITECTURES = ['x64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** Names of the architectures in the package formats and in GNU tools. */
export const ARCHITECTURE_NAMES: Readonly<
  Record<Architecture, { readonly deb: string; readonly rpm: string; readonly gnu: string }>
> = {
  x64: { deb: 'amd64', rpm: 'x86_64', gnu: 'x86_64-linux-gnu' },
  arm64: { deb: 'arm64', rpm: 'aarch64', gnu: 'aarch64-linux-gnu' },
};

/** Returns the architecture of this machine. Throws if there is no package for it. */
export function ownArchitecture(): Architecture {
  const own = ARCHITECTURES.find((arch) => arch === process.arch);
  if (own === undefined) throw new Error(`there is no package of the detector for ${process.arch}`);
  return own;
}
