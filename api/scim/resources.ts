import { contentTag } from '#api/http/responses/entity-tag.ts';
import { emailSchema } from '#schemas/api/account-fields.ts';
import type { Json } from './patch.ts';
import { ScimError } from './scim-error.ts';
import type { ScimGroupRow } from './tables/scim-groups.ts';
import type { ScimUserRow } from './tables/scim-users.ts';

export const USER_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group';

/** Attributes of a user that a client can set. Other attributes are not stored. */
export interface UserInput {
  readonly userName: string;
  readonly externalId: string | null;
  readonly displayName: string | null;
  readonly givenName: string | null;
  readonly familyName: string | null;
  readonly email: string;
  readonly active: boolean;
}

export interface GroupInput {
  readonly displayName: string;
  readonly externalId: string | null;
  readonly members: readonly string[];
}

/**
 * Returns the SCIM resource of a user.
 * @param base URL of the SCIM service, without a trailing slash
 */
export function userResource(row: ScimUserRow, base: string): Json {
  const content = {
    schemas: [USER_SCHEMA],
    id: row.id,
    ...present('externalId', row.externalId),
    userName: row.userName,
    ...present('displayName', row.displayName),
    ...(row.givenName === null && row.familyName === null
      ? {}
      : { name: { ...present('givenName', row.givenName), ...present('familyName', row.familyName) } }),
    emails: [{ value: row.email, type: 'work', primary: true }],
    active: row.active,
    roles: [{ value: row.role, primary: true }],
    groups: row.groups.map(({ id, name }) => ({ value: id, display: name, $ref: `${base}/Groups/${id}` })),
  };
  return { ...content, meta: metaOf('User', row, content, `${base}/Users/${row.id}`) };
}

export function groupResource(row: ScimGroupRow, base: string): Json {
  const content = {
    schemas: [GROUP_SCHEMA],
    id: row.id,
    ...present('externalId', row.externalId),
    displayName: row.displayName,
    members: row.members.map(({ id, name }) => ({
      value: id,
      display: name,
      type: 'User',
      $ref: `${base}/Users/${id}`,
    })),
  };
  return { ...content, meta: metaOf('Group', row, content, `${base}/Groups/${row.id}`) };
}

function metaOf(
  resourceType: string,
  { created, lastModified }: { readonly created: Date; readonly lastModified: Date },
  content: unknown,
  location: string,
) {
  return {
    resourceType,
    created: created.toISOString(),
    lastModified: lastModified.toISOString(),
    location,
    version: contentTag(content),
  };
}

/** Returns the ETag of a resource. */
export function versionOf(resource: Json): string {
  return (resource.meta as { readonly version: string }).version;
}

/**
 * Validates a user. `active`: value if the resource does not contain it; true for a new user.
 * @throws ScimError invalidValue
 */
export function userInput(resource: Json, active = true): UserInput {
  const userName = textOf(resource, 'userName', 320);
  if (userName === null) throw invalid('userName is required');
  const name = valueIn(resource, 'name');
  const names = isObject(name) ? name : {};
  return {
    userName,
    externalId: textOf(resource, 'externalId', 512),
    displayName: textOf(resource, 'displayName', 256),
    givenName: textOf(names, 'givenName', 128),
    familyName: textOf(names, 'familyName', 128),
    email: emailOf(resource, userName),
    active: truthOf(valueIn(resource, 'active')) ?? active,
  };
}

/**
 * Validates a group.
 * @throws ScimError invalidValue
 */
export function groupInput(resource: Json): GroupInput {
  const displayName = textOf(resource, 'displayName', 256);
  if (displayName === null) throw invalid('displayName is required');
  const members = listOf(valueIn(resource, 'members')).map((member) => {
    const id = isObject(member) ? valueIn(member, 'value') : member;
    if (typeof id !== 'string') throw invalid('members are objects with the id of a user as value');
    return id;
  });
  return { displayName, externalId: textOf(resource, 'externalId', 512), members: [...new Set(members)] };
}

/** Returns the team name for a group: small letters, digits and hyphens. */
export function teamNameOf(displayName: string): string {
  const name = displayName
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
  if (name === '') throw invalid('displayName must hold a letter or a digit');
  return name;
}

function emailOf(resource: Json, userName: string): string {
  const all = listOf(valueIn(resource, 'emails')).map((one) => (isObject(one) ? one : { value: one }));
  const chosen =
    all.find((one) => valueIn(one, 'primary') === true || valueIn(one, 'primary') === 'true') ??
    all.find((one) => valueIn(one, 'type') === 'work') ??
    all[0];
  const parsed = emailSchema.safeParse(chosen === undefined ? userName : valueIn(chosen, 'value'));
  if (!parsed.success) throw invalid('emails or userName must contain an e-mail address');
  return parsed.data;
}

/** Entra ID sends booleans as strings. */
function truthOf(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value === 'boolean') return value;
  const word = String(value).toLowerCase();
  if (word !== 'true' && word !== 'false') throw invalid('active must be true or false');
  return word === 'true';
}

function textOf(resource: Json, name: string, max: number): string | null {
  const value = valueIn(resource, name);
  if (value === undefined || value === null || value === '') return null;
  if (typeof value !== 'string' || value.length > max || value.includes('\0'))
    throw invalid(`${name} must be a text of at most ${max} characters`);
  return value;
}

/** Returns a value by name, ignoring case. */
function valueIn(resource: Json, name: string): unknown {
  const key = Object.keys(resource).find((one) => one.toLowerCase() === name.toLowerCase());
  return key === undefined ? undefined : resource[key];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function present(name: string, value: string | null): Json {
  return value === null ? {} : { [name]: value };
}

function invalid(detail: string): ScimError {
  return new ScimError(400, detail, 'invalidValue');
}
