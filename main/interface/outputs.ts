import type { InterfaceCall, InterfaceDescription } from '../../preload/contract/interface.ts';
import { listAccountCalls } from './account-calls.ts';
import { listCalls } from './list-calls.ts';

type Outputs = InterfaceDescription['outputs'];

/** The expressions of outputs by their names. */
export const expressionsIn = (outputs: Outputs = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [name, typeof output === 'string' ? output : output.value]),
  );

/** The outputs of all responses, and those of one call's response alone, with their path in the description. */
const outputListsOf = (description: InterfaceDescription): { at: string; outputs: Outputs }[] => [
  { at: 'outputs', outputs: description.outputs },
  { at: 'secondFactor.outputs', outputs: description.secondFactor?.outputs ?? {} },
  ...[...listCalls(description), ...listAccountCalls(description)].flatMap(({ at, call }) =>
    call.outputs ? [{ at: `${at}.outputs`, outputs: call.outputs }] : [],
  ),
];

/** Every output of a description, with its path there. `isOpen` is true for one that is declared as public. */
export const outputsIn = (description: InterfaceDescription): { at: string; name: string; isOpen: boolean }[] =>
  outputListsOf(description).flatMap(({ at, outputs }) =>
    Object.entries(outputs).map(([name, output]) => ({
      at,
      name,
      isOpen: typeof output !== 'string' && !output.secret,
    })),
  );

/** The expressions of a call's response: its own override those of the description. */
export const expressionsOf = (description: InterfaceDescription, call?: InterfaceCall): Record<string, string> => ({
  ...expressionsIn(description.outputs),
  ...expressionsIn(call?.outputs),
});

/** The names of outputs that are no secrets: only they may be shown, and used in a path. */
export function publicOutputs(description: InterfaceDescription): ReadonlySet<string> {
  const all = outputsIn(description);
  const secret = new Set(all.filter(({ isOpen }) => !isOpen).map(({ name }) => name));
  return new Set(all.flatMap(({ name }) => (secret.has(name) ? [] : [name])));
}
