import type { FoundInterface, InterfaceCall } from '../../../preload/contract/interface.ts';

export const callNames = ['register', 'login', 'profile', 'logout', 'refresh'] as const;
export type CallName = (typeof callNames)[number];

/** What a person chose of a finding. */
export interface Choice {
  /** The id of a shipped description, or `draft` for the calls of the text alone. */
  use?: string | undefined;
  /** By call, which of its options; −1 says that the server has none. */
  calls: Partial<Record<CallName, number>>;
  /** The paths of calls that were not in the text. */
  paths: Partial<Record<CallName, string>>;
}

export const nothingChosen: Choice = { calls: {}, paths: {} };

/** One call that a call may be, with the name that it has in the text. */
export interface CallOption {
  call: InterfaceCall;
  from?: string;
}

/** What a call may be, the likeliest first. */
export function optionsOf({ draft, others }: FoundInterface, name: CallName): CallOption[] {
  const drafted = draft.calls[name];
  const [first] = Array.isArray(drafted) ? drafted : [drafted];
  return first ? [{ call: first }, ...(others[name] ?? [])] : [];
}

/** The calls that a person is asked about: there are others that they may be, or they need not be there. */
export function unsureOf(finding: FoundInterface): CallName[] {
  return callNames.filter((name) => {
    const isGuess = finding.parts.some(({ at, is }) => at === `calls.${name}` && is === 'guess');
    const options = optionsOf(finding, name).length;
    return options > 1 || (options === 1 && isGuess && mayBeNone(name));
  });
}

export const mayBeNone = (name: CallName): boolean => name !== 'login' && name !== 'profile';

/** The calls that are neither in the text nor typed. */
export const missingOf = ({ missing }: FoundInterface, { paths }: Choice): CallName[] =>
  missing.filter((name) => pathOf(paths[name]) === '');

/** A path as a person may write it: with the address before it, or without its first slash. */
function pathOf(typed = ''): string {
  const path = typed.trim().replace(/^https?:\/\/[^/?#]*/i, '');
  return path === '' || /^[/?]/.test(path) ? path : `/${path}`;
}

/** The text of a description of what was found, as a person chose. A call that is missing still has the path `/`. */
export function textOfDraft(finding: FoundInterface, choice: Choice): string {
  const { prefix, calls: _calls, ...rest } = finding.draft;
  const found = callNames.flatMap((name) => {
    const option = optionsOf(finding, name)[choice.calls[name] ?? 0];
    return option ? [[name, { ...option.call, path: prefix + option.call.path }] as const] : [];
  });
  const typed = finding.missing.map((name) => {
    const path = pathOf(choice.paths[name]) || '/';
    return [
      name,
      name === 'login' ? { path, body: { email: '{{email}}', password: '{{password}}' } } : { path },
    ] as const;
  });
  return `${JSON.stringify({ ...rest, calls: Object.fromEntries([...found, ...typed]) }, undefined, 2)}\n`;
}

/** The names of values that were left out of the calls, without the places where they stood. */
export function leftOut({ dropped }: FoundInterface): { name: string; isHeader: boolean }[] {
  const names = new Map(dropped.map((at) => [at.slice(at.lastIndexOf('.') + 1), /(?:^|\.)headers\./.test(at)]));
  return [...names].map(([name, isHeader]) => ({ name, isHeader }));
}
