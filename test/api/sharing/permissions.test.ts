import { expect, test } from 'vitest';
import { type Action, mayDo, PERMISSIONS, permissionsOf, RULES, standingOf } from '#api/sharing/permissions.ts';

const STRANGER = { administrator: false, owner: false, shared: false, starter: false, grants: [] } as const;
const ACTIONS = Object.keys(RULES) as Action[];

test('a private workflow without a grant is visible only to its owner', () => {
  const allowed = (standing: object) => ACTIONS.filter((action) => mayDo(action, { ...STRANGER, ...standing }));
  expect(allowed({})).toEqual([]);
  expect(allowed({ shared: true })).toEqual(['view', 'run']);
  expect(allowed({ starter: true })).toEqual(['view-execution', 'change-execution', 'approve']);
  expect(allowed({ owner: true })).toEqual([
    'view',
    'run',
    'edit',
    'share',
    'view-execution',
    'change-execution',
    'work',
  ]);
  expect(allowed({ administrator: true })).toEqual(ACTIONS);
});

test('each grant permits what its name says, and none permits sharing', () => {
  const allowed = (permission: (typeof PERMISSIONS)[number]) =>
    ACTIONS.filter((action) => mayDo(action, { ...STRANGER, grants: [permission] }));
  expect(Object.fromEntries(PERMISSIONS.map((permission) => [permission, allowed(permission)]))).toEqual({
    view: ['view', 'view-execution'],
    run: ['view', 'run', 'view-execution', 'change-execution'],
    edit: ['view', 'run', 'edit', 'view-execution', 'change-execution', 'work'],
    approve: ['view', 'view-execution', 'approve'],
  });
});

test('the operator has no user and therefore owns nothing', () => {
  const unit = { ownerId: null, visibility: 'private', grants: [] } as const;
  expect(standingOf({ userId: undefined, administrator: false }, unit)).toEqual(STRANGER);
  expect(permissionsOf({ userId: undefined, administrator: true }, unit)).toEqual({
    run: true,
    edit: true,
    share: true,
  });
});
