import { describe, expect, test } from 'vitest';
import { applyPatch, type PatchOperation } from '#api/scim/patch.ts';
import { ScimError } from '#api/scim/scim-error.ts';

const USER = {
  userName: 'ana',
  name: { givenName: 'Ana', familyName: 'Silva' },
  emails: [{ value: 'ana@example.org', type: 'work', primary: true }],
  active: true,
};
const GROUP = { displayName: 'SOC', members: [{ value: '1' }, { value: '2' }] };

describe('PATCH', () => {
  test.each<[string, object, PatchOperation[], object]>([
    [
      'replaces an attribute, whatever its case',
      USER,
      [{ op: 'replace', path: 'USERNAME', value: 'ben' }],
      { ...USER, userName: 'ben' },
    ],
    [
      'replaces a part',
      USER,
      [{ op: 'replace', path: 'name.givenName', value: 'A' }],
      { ...USER, name: { givenName: 'A', familyName: 'Silva' } },
    ],
    [
      'adds a part to what is not there',
      { userName: 'a' },
      [{ op: 'add', path: 'name.givenName', value: 'A' }],
      { userName: 'a', name: { givenName: 'A' } },
    ],
    ['removes a part', USER, [{ op: 'remove', path: 'name.familyName' }], { ...USER, name: { givenName: 'Ana' } }],
    ['removes an attribute', { ...USER, externalId: 'x' }, [{ op: 'remove', path: 'externalId' }], USER],
    [
      'Entra ID: upper case, and a word for false',
      USER,
      [{ op: 'Replace', path: 'active', value: 'False' }],
      { ...USER, active: 'False' },
    ],
    [
      'Entra ID: dotted names without a path',
      USER,
      [{ op: 'Add', value: { 'name.givenName': 'B', displayName: 'Bea' } }],
      { ...USER, displayName: 'Bea', name: { givenName: 'B', familyName: 'Silva' } },
    ],
    [
      'Entra ID: an address by its type',
      USER,
      [{ op: 'Replace', path: 'emails[type eq "work"].value', value: 'b@example.org' }],
      { ...USER, emails: [{ value: 'b@example.org', type: 'work', primary: true }] },
    ],
    [
      'Entra ID: an address of a type that is not there',
      { userName: 'a' },
      [{ op: 'Add', path: 'emails[type eq "work"].value', value: 'b@example.org' }],
      { userName: 'a', emails: [{ type: 'work', value: 'b@example.org' }] },
    ],
    [
      'Entra ID: an extension is not kept, and nothing else is lost',
      USER,
      [{ op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'SOC' }],
      { ...USER, department: 'SOC' },
    ],
    ['Okta: active without a path', USER, [{ op: 'replace', value: { active: false } }], { ...USER, active: false }],
    [
      'Okta: the name of a group, with its id',
      GROUP,
      [{ op: 'replace', value: { id: '9', displayName: 'NOC' } }],
      { ...GROUP, id: '9', displayName: 'NOC' },
    ],
    [
      'adds members once',
      GROUP,
      [{ op: 'add', path: 'members', value: [{ value: '2' }, { value: '3' }] }],
      { ...GROUP, members: [{ value: '1' }, { value: '2' }, { value: '3' }] },
    ],
    [
      'adds a member given alone',
      GROUP,
      [{ op: 'Add', path: 'members', value: { value: '3' } }],
      { ...GROUP, members: [{ value: '1' }, { value: '2' }, { value: '3' }] },
    ],
    [
      'Okta: removes a member by a filter',
      GROUP,
      [{ op: 'remove', path: 'members[value eq "1"]' }],
      { ...GROUP, members: [{ value: '2' }] },
    ],
    [
      'Entra ID: removes members by value',
      GROUP,
      [{ op: 'Remove', path: 'members', value: [{ value: '2' }] }],
      { ...GROUP, members: [{ value: '1' }] },
    ],
    ['removes all members', GROUP, [{ op: 'remove', path: 'members' }], { ...GROUP, members: [] }],
    [
      'replaces all members',
      GROUP,
      [{ op: 'replace', path: 'members', value: [{ value: '7' }] }],
      { ...GROUP, members: [{ value: '7' }] },
    ],
    [
      'applies operations in order',
      GROUP,
      [
        { op: 'remove', path: 'members' },
        { op: 'add', path: 'members', value: [{ value: '5' }] },
      ],
      { ...GROUP, members: [{ value: '5' }] },
    ],
  ])('%s', (_name, before, operations, after) => {
    expect(applyPatch(before as Record<string, unknown>, operations)).toEqual(after);
  });

  test.each<[PatchOperation, string | undefined]>([
    [{ op: 'move', path: 'a' }, 'invalidSyntax'],
    [{ op: 'remove' }, 'noTarget'],
    [{ op: 'add', value: 'x' }, 'invalidSyntax'],
    [{ op: 'add', path: 'a b', value: 1 }, 'invalidPath'],
    [{ op: 'add', path: 'members[value xx "1"]', value: 1 }, 'invalidFilter'],
  ])('rejects %j', (operation, scimType) => {
    try {
      applyPatch(GROUP, [operation]);
      expect.unreachable();
    } catch (error) {
      expect(error).toBeInstanceOf(ScimError);
      expect(error).toMatchObject({ status: 400, scimType });
    }
  });

  test('cannot change a prototype', () => {
    const operations = [{ op: 'add', value: JSON.parse('{"__proto__": {"polluted": true}}') }];
    expect(() => applyPatch(GROUP, operations)).toThrow(ScimError);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
