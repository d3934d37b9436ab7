import type { FoundInterface, FoundPart, InterfaceCall } from '../../../preload/contract/interface.ts';
import { type CallName, callNames, type CallOption, type JsonObject, readObject } from './found/description.ts';

/** An import that is edited part by part. It has no effect until it is used. */
export interface EditedImport {
  text: string;
  setText: (text: string) => void;
  /** As imported. */
  first: JsonObject | undefined;
  parts: readonly FoundPart[];
  others: Partial<Record<CallName, readonly CallOption[]>>;
  addresses: FoundInterface['addresses'];
  address: string;
  /** The address in the imported text. */
  importedAddress: string | undefined;
  /** Whether the imported text marks the address as production. */
  production: boolean;
  setAddress: (address: string, production: boolean) => void;
  /** Calls of a trial that logged in with this text. */
  works: readonly string[] | undefined;
  /** Called after a trial that logged in, with its text and its calls. */
  setWorks: (text: string, calls: readonly string[]) => void;
}

/** The candidates of each call that has more than one, the likeliest first. Their paths include the prefix. */
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

/** Serializes an import as a description, without the calls that were not found. */
export function serialize({ draft: { prefix, calls, ...rest } }: Pick<FoundInterface, 'draft'>): string {
  const whole = Object.entries(calls).map(([name, call]) => [
    name,
    Array.isArray(call)
      ? call.map((each) => ({ ...each, path: prefix + each.path }))
      : call && { ...call, path: prefix + call.path },
  ]);
  return `${JSON.stringify({ ...rest, calls: Object.fromEntries(whole) }, undefined, 2)}\n`;
}

/** The names of omitted values, without their paths. */
export function droppedNames({ dropped }: Pick<FoundInterface, 'dropped'>): { name: string; isHeader: boolean }[] {
  const names = new Map(dropped.map((at) => [at.slice(at.lastIndexOf('.') + 1), /(?:^|\.)headers\./.test(at)]));
  return [...names].map(([name, isHeader]) => ({ name, isHeader }));
}
