import type { components } from '../../api/schema.d.ts';

export type IdentityProvider = components['schemas']['IdentityProvider'];
