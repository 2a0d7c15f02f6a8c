import { MAX_OPERATIONS } from './bulk.ts';
import { MAX_RESULTS } from './list-request.ts';
import type { Json } from './patch.ts';
import { GROUP_SCHEMA, USER_SCHEMA } from './resources.ts';

/** Maximum bytes of a request body. */
export const MAX_BODY_BYTES = 2 ** 20;
const CONFIG_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig';
const TYPE_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:ResourceType';
const SCHEMA_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Schema';

/** Returns the service provider configuration, RFC 7643, section 5. */
export function serviceProviderConfig(base: string): Json {
  return {
    schemas: [CONFIG_SCHEMA],
    patch: { supported: true },
    bulk: { supported: true, maxOperations: MAX_OPERATIONS, maxPayloadSize: MAX_BODY_BYTES },
    filter: { supported: true, maxResults: MAX_RESULTS },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'API key',
        description: 'An API key of an administrator with the scope scim, as a bearer token',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  };
}

/** Returns the resource types, RFC 7643, section 6. */
export function resourceTypes(base: string): Json[] {
  const type = (id: string, endpoint: string, schema: string) => ({
    schemas: [TYPE_SCHEMA],
    id,
    name: id,
    endpoint,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
  });
  return [type('User', '/Users', USER_SCHEMA), type('Group', '/Groups', GROUP_SCHEMA)];
}

interface Attribute {
  readonly name: string;
  readonly type?: 'string' | 'boolean' | 'complex' | 'reference';
  readonly multiValued?: boolean;
  readonly required?: boolean;
  readonly caseExact?: boolean;
  readonly mutability?: 'readWrite' | 'readOnly';
  readonly uniqueness?: 'none' | 'server';
  readonly subAttributes?: readonly Attribute[];
}

function attribute({ name, ...given }: Attribute): Json {
  const { type = 'string', multiValued = false, required = false, caseExact = false } = given;
  const { mutability = 'readWrite', uniqueness = 'none', subAttributes } = given;
  return {
    name,
    type,
    multiValued,
    required,
    caseExact,
    mutability,
    returned: 'default',
    uniqueness,
    ...(subAttributes === undefined ? {} : { subAttributes: subAttributes.map(attribute) }),
  };
}

const READ_ONLY = { mutability: 'readOnly' } as const;

const USER_ATTRIBUTES: readonly Attribute[] = [
  { name: 'userName', required: true, uniqueness: 'server' },
  { name: 'displayName' },
  { name: 'name', type: 'complex', subAttributes: [{ name: 'givenName' }, { name: 'familyName' }] },
  {
    name: 'emails',
    type: 'complex',
    multiValued: true,
    subAttributes: [{ name: 'value', uniqueness: 'server' }, { name: 'type' }, { name: 'primary', type: 'boolean' }],
  },
  { name: 'active', type: 'boolean' },
  {
    name: 'roles',
    type: 'complex',
    multiValued: true,
    ...READ_ONLY,
    subAttributes: [{ name: 'value', ...READ_ONLY }],
  },
  {
    name: 'groups',
    type: 'complex',
    multiValued: true,
    ...READ_ONLY,
    subAttributes: [
      { name: 'value', ...READ_ONLY },
      { name: '$ref', type: 'reference', ...READ_ONLY },
      { name: 'display', ...READ_ONLY },
    ],
  },
];

const GROUP_ATTRIBUTES: readonly Attribute[] = [
  { name: 'displayName', required: true, uniqueness: 'server' },
  {
    name: 'members',
    type: 'complex',
    multiValued: true,
    subAttributes: [
      { name: 'value' },
      { name: '$ref', type: 'reference', ...READ_ONLY },
      { name: 'display', ...READ_ONLY },
    ],
  },
];

/** Returns the schemas with the attributes that are stored, RFC 7643, section 7. */
export function schemas(base: string): Json[] {
  const schema = (id: string, name: string, attributes: readonly Attribute[]) => ({
    schemas: [SCHEMA_SCHEMA],
    id,
    name,
    attributes: attributes.map(attribute),
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${id}` },
  });
  return [schema(USER_SCHEMA, 'User', USER_ATTRIBUTES), schema(GROUP_SCHEMA, 'Group', GROUP_ATTRIBUTES)];
}
