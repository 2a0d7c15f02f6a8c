import { PRODUCT_VERSION } from '#api/http/description/product-version.ts';

/** What all formats of the package state about it. */
export const MANIFEST = {
  name: 'trapline-detector',
  version: PRODUCT_VERSION,
  summary: 'Detector for memory-exploit attacks',
  description:
    'Reads the kernel log, recognises crashes of programs and sends them as events to a Trapline server or to standard output.',
  license: 'Apache-2.0',
  maintainer: 'The Trapline authors <maintainers@trapline.example.org>',
} as const;

/** Names of this processor architecture in the formats. Throws for one that there is no package for. */
export function architecture(arch: string = process.arch): { readonly deb: string; readonly rpm: string } {
  if (arch === 'x64') return { deb: 'amd64', rpm: 'x86_64' };
  if (arch === 'arm64') return { deb: 'arm64', rpm: 'aarch64' };
  throw new Error(`there is no package of the detector for ${arch}`);
}
