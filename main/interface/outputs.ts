import type { InterfaceCall, InterfaceDescription } from '../../preload/contract/interface.ts';
import { listCalls } from './list-calls.ts';

type Outputs = InterfaceDescription['outputs'];

/** The expressions of outputs by their names, however each is written. */
export const expressionsIn = (outputs: Outputs = {}): Record<string, string> =>
  Object.fromEntries(
    Object.entries(outputs).map(([name, output]) => [name, typeof output === 'string' ? output : output.value]),
  );

/** Every place of a description where an output is said: those of all answers, and those of one call's answer alone. */
const placesIn = (description: InterfaceDescription): { at: string; outputs: Outputs }[] => [
  { at: 'outputs', outputs: description.outputs },
  ...listCalls(description).flatMap(({ at, call }) =>
    call.outputs ? [{ at: `${at}.outputs`, outputs: call.outputs }] : [],
  ),
];

/** Every output of a description, with its place, its name, and whether it is said to be no secret. */
export const outputsIn = (description: InterfaceDescription): { at: string; name: string; isOpen: boolean }[] =>
  placesIn(description).flatMap(({ at, outputs }) =>
    Object.entries(outputs).map(([name, output]) => ({
      at,
      name,
      isOpen: typeof output !== 'string' && !output.secret,
    })),
  );

/** The expressions of the answer to a call: its own count before those of the description. */
export const expressionsOf = (description: InterfaceDescription, call?: InterfaceCall): Record<string, string> => ({
  ...expressionsIn(description.outputs),
  ...expressionsIn(call?.outputs),
});

/** The names of outputs that are no secrets: only they may be shown, and may stand in a path. */
export function publicOutputs(description: InterfaceDescription): ReadonlySet<string> {
  const all = outputsIn(description);
  const secret = new Set(all.filter(({ isOpen }) => !isOpen).map(({ name }) => name));
  return new Set(all.flatMap(({ name }) => (secret.has(name) ? [] : [name])));
}
