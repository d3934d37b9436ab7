import type { InterfaceInput, InterfaceFault } from '../../../preload/contract/connection.ts';
import { fail, ok, type Result } from '../../../preload/contract/result.ts';
import {
  descriptionDigest,
  readDescription,
  variableFaults,
  variableValues,
} from '../../interface/read-description.ts';
import { createInterfaceSummary } from '../../interface/interface-summary.ts';
import { ApiAdapter } from '../../interface/api-adapter.ts';
import { withoutSecretVariables, type StoredInterface } from '../config/config.ts';

/** An interface as it will be, and the values of secret variables that were given with it. */
export type ValidatedInterface = { interface: StoredInterface | undefined; given: Readonly<Record<string, string>> };

/**
 * Reads what was entered of a server's interface. What was not entered stays as it was, but for the secrets of another
 * address, which are for that alone.
 */
export function validateInterfaceForm(
  entered: InterfaceInput | undefined,
  before: StoredInterface | undefined,
  { baseUrl, moved }: { baseUrl: string; moved: boolean },
): Result<ValidatedInterface> {
  const known = before && moved ? withoutSecretVariables(before) : before;
  if (!entered) return ok({ interface: known, given: {} });
  const text = entered.text ?? known?.text ?? '';
  if (text === '') return ok({ interface: undefined, given: {} });
  const filled = entered.variables.filter(({ value }) => value !== '');
  const values = Object.fromEntries(filled.map(({ name, value }) => [name, value] as const));
  const made = createStoredInterface(text, baseUrl, values, { kept: known && storedSecretNames(known) });
  const guesses = text === known?.text ? known.guesses : entered.guesses;
  if (!made.ok || !guesses || guesses.length === 0) return made;
  return ok({ ...made.value, interface: { ...made.value.interface, guesses } });
}

/**
 * What people copy of the paths of a server's calls along with its address; undefined for the calls of `interface.md`.
 */
export function pastedPathSuffixes(
  entered: InterfaceInput | undefined,
  before: StoredInterface | undefined,
): string[] | undefined {
  const text = entered?.text ?? before?.text ?? '';
  const read = text === '' ? undefined : readDescription(text);
  if (!read?.ok) return undefined;
  const typed = entered?.variables.map(({ name, value }) => [name, value] as const) ?? [];
  return new ApiAdapter(read.description, '', {
    ...(before && enteredVariables(before)),
    ...Object.fromEntries(typed),
  }).paths.pasted();
}

/**
 * Makes what is stored of a description and the values of its variables; what is given for no variable is left out.
 * @param kept the secret variables that have a value already
 * @param mayMiss whether the others are asked for later
 */
export function createStoredInterface(
  text: string,
  baseUrl: string,
  values: Readonly<Record<string, string>>,
  { kept = [], mayMiss = false }: { kept?: readonly string[] | undefined; mayMiss?: boolean } = {},
): Result<{ interface: StoredInterface; given: Record<string, string> }> {
  const read = readDescription(text);
  if (!read.ok) return refused(read.faults);
  const { description } = read;
  const isSecret = (name: string): boolean => description.variables[name]?.secret === true;
  const given: Record<string, string> = {};
  const variables: Record<string, string> = {};
  for (const name of Object.keys(description.variables)) {
    const value = values[name];
    if (value !== undefined) (isSecret(name) ? given : variables)[name] = value;
  }
  // A header whose secret is not there yet is left out, and a secret stands in no path.
  const faults = variableFaults(
    description,
    variableValues(description, { ...variables, ...given }, new URL(baseUrl).origin),
  ).filter(({ problem, name = '' }) => problem !== 'missing' || !(mayMiss || isSecret(name)));
  if (faults.length > 0) return refused(faults);
  const secrets = [...kept.filter(isSecret), ...Object.keys(given)];
  const digest = descriptionDigest(text);
  const shown = createInterfaceSummary(new ApiAdapter(description, baseUrl, variables), { digest, variables, secrets });
  return ok({ interface: { ...shown, text, digest }, given });
}

/** What was entered for the variables that are no secrets. */
export const enteredVariables = ({ variables }: Pick<StoredInterface, 'variables'>): Record<string, string> =>
  Object.fromEntries(variables.flatMap(({ name, value }) => (value === undefined ? [] : [[name, value] as const])));

/** The variables whose values rest in the vault. */
export const storedSecretNames = ({ variables }: Pick<StoredInterface, 'variables'>): string[] =>
  variables.filter(({ secret, isSet }) => secret && isSet).map(({ name }) => name);

const refused = (faults: readonly InterfaceFault[]): Result<never> =>
  fail({ kind: 'invalid-interface', faults: faults.slice(0, 50) });
