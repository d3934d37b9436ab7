import type { FoundInterface, InterfaceCall } from '../../../preload/contract/interface.ts';
import { type JsonObject, readObject } from './found/description.ts';

const callNames = ['register', 'login', 'profile', 'logout', 'refresh'] as const;
export type CallName = (typeof callNames)[number];

/** One call that a call may be, with the name that it has in the text. */
export interface CallOption {
  call: JsonObject;
  from?: string | undefined;
  /** The outputs of a description that were read from the answer to this call. */
  outputs?: JsonObject | undefined;
}

/** Returns what each call may be, the likeliest first, where there is more than one. Their paths are as they are sent. */
export function optionsOf({ draft, others }: Pick<FoundInterface, 'draft' | 'others'>) {
  const options: Partial<Record<CallName, CallOption[]>> = {};
  const whole = (call: InterfaceCall): JsonObject =>
    readObject(JSON.stringify({ ...call, path: draft.prefix + call.path })) ?? {};
  for (const name of callNames) {
    const drafted = draft.calls[name];
    const [first] = Array.isArray(drafted) ? drafted : [drafted];
    const rest = (others[name] ?? []).map(({ call, from }) => ({ call: whole(call), from }));
    const outputs = name === 'login' ? readObject(JSON.stringify(draft.outputs)) : undefined;
    if (rest.length > 0) options[name] = [...(first ? [{ call: whole(first), outputs }] : []), ...rest];
  }
  return options;
}

/** The text of a description of what was found. What was not found is missing in it. */
export function textOfDraft({ draft: { prefix, calls, ...rest } }: Pick<FoundInterface, 'draft'>): string {
  const whole = Object.entries(calls).map(([name, call]) => [
    name,
    Array.isArray(call)
      ? call.map((each) => ({ ...each, path: prefix + each.path }))
      : call && { ...call, path: prefix + call.path },
  ]);
  return `${JSON.stringify({ ...rest, calls: Object.fromEntries(whole) }, undefined, 2)}\n`;
}

/** The names of values that were left out of the calls, without the places where they stood. */
export function leftOut({ dropped }: Pick<FoundInterface, 'dropped'>): { name: string; isHeader: boolean }[] {
  const names = new Map(dropped.map((at) => [at.slice(at.lastIndexOf('.') + 1), /(?:^|\.)headers\./.test(at)]));
  return [...names].map(([name, isHeader]) => ({ name, isHeader }));
}
