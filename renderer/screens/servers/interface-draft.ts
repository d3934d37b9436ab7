import type { FoundInterface, FoundPart, InterfaceCall } from '../../../preload/contract/interface.ts';
import { type CallName, callNames, type CallOption, type JsonObject, readObject } from './found/description.ts';

/** A description that is looked at and edited part by part. Nothing of it counts before it is used. */
export interface EditedImport {
  text: string;
  setText: (text: string) => void;
  /** As it was found. */
  first: JsonObject | undefined;
  parts: readonly FoundPart[];
  others: Partial<Record<CallName, readonly CallOption[]>>;
  addresses: FoundInterface['addresses'];
  address: string;
  /** The address that the text is for. */
  said: string | undefined;
  /** Whether the text says that the address is in production. */
  production: boolean;
  setAddress: (address: string, production: boolean) => void;
  /** The calls by which a trial of this text has logged in. */
  works: readonly string[] | undefined;
  /** Told of a text by which a login worked, and of the calls that it took. */
  setWorks: (text: string, calls: readonly string[]) => void;
}

/** Returns what each call may be, the likeliest first, where there is more than one. Their paths are as they are sent. */
export function callOptions({ draft, others }: Pick<FoundInterface, 'draft' | 'others'>) {
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
export function serialize({ draft: { prefix, calls, ...rest } }: Pick<FoundInterface, 'draft'>): string {
  const whole = Object.entries(calls).map(([name, call]) => [
    name,
    Array.isArray(call)
      ? call.map((each) => ({ ...each, path: prefix + each.path }))
      : call && { ...call, path: prefix + call.path },
  ]);
  return `${JSON.stringify({ ...rest, calls: Object.fromEntries(whole) }, undefined, 2)}\n`;
}

/** The names of values that were left out of the calls, without the places where they stood. */
export function droppedNames({ dropped }: Pick<FoundInterface, 'dropped'>): { name: string; isHeader: boolean }[] {
  const names = new Map(dropped.map((at) => [at.slice(at.lastIndexOf('.') + 1), /(?:^|\.)headers\./.test(at)]));
  return [...names].map(([name, isHeader]) => ({ name, isHeader }));
}
