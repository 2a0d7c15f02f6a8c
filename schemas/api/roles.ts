import { z } from 'zod';
import { hasRole, ROLES, type Role } from './role-order.ts';
import { SCOPE_NAMES, SCOPES, type Scope, scopesOfRole } from './scopes.ts';

export { hasRole, ROLES, type Role, SCOPE_NAMES, SCOPES, type Scope, scopesOfRole };

export const roleSchema = z.enum(ROLES);

export const scopeSchema = z.enum(Object.keys(SCOPES) as [Scope, ...Scope[]]);
