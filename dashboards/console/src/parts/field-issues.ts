import { Failure } from '../api/failure.ts';

/** Issues of a failed call, by form field. */
export interface FieldIssues<Name extends string> {
  /** Texts for the fields that the failure contains. */
  readonly at: Readonly<Partial<Record<Name, string>>>;
  /** The failure if it contains an issue that belongs to no field, otherwise null. */
  readonly rest: unknown;
}

/** Splits a failure into texts for form fields and the rest. `names`: the fields, as the API names them. */
export function fieldIssues<Name extends string>(error: unknown, names: readonly Name[]): FieldIssues<Name> {
  if (!(error instanceof Failure)) return { at: {} as FieldIssues<Name>['at'], rest: error };
  const of = (name: Name) => error.issues.filter(({ field }) => field === name).map(({ message }) => message);
  const at = Object.fromEntries(
    names.filter((name) => of(name).length > 0).map((name) => [name, sentence(of(name).join('; '))]),
  ) as FieldIssues<Name>['at'];
  const complete = error.issues.length > 0 && error.issues.every(({ field }) => names.some((name) => name === field));
  return { at, rest: complete ? null : error };
}

/** Capitalizes a message, because messages of the API begin in lower case. */
function sentence(message: string): string {
  return message.charAt(0).toUpperCase() + message.slice(1);
}
