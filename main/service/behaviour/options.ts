import { randomInt } from 'node:crypto';
import { dialects, isDialectName } from './dialects.ts';
import { operations } from '../operations.ts';
import { faultKindNames, faultKinds, parseFault, type Fault } from './faults.ts';
import type { BehaviourSettings } from './settings.ts';
import { isWrongName, wrongs, type WrongName } from './wrongs.ts';

/** These are for `parseArgs` of `node:util`. */
export const behaviourOptions = {
  dialect: { type: 'string' },
  fault: { type: 'string', multiple: true },
  seed: { type: 'string' },
  wrong: { type: 'string', multiple: true },
} as const;

const list = (entries: readonly (readonly [name: string, help: string])[]): string => {
  const width = Math.max(...entries.map(([name]) => name.length));
  return entries.map(([name, help]) => `      ${name.padEnd(width)}  ${help}\n`).join('');
};

const listOf = (table: Record<string, { help: string }>): string =>
  list(Object.entries(table).map(([name, { help }]) => [name, help] as const));

/** What `--help` says of these options, every name with its line. */
export const behaviourHelp = `To test a client against a bad server, on loopback only and off at every start:

  --dialect NAME         answer as another family of servers does, with the same accounts, tokens and rules:
${listOf(dialects)}  --wrong NAME           be wrong in exactly this way; may be given again:
${listOf(wrongs)}  --fault OPERATION:KIND:COUNT or OPERATION:KIND:PROBABILITY
                         make an operation (${operations.join(', ')}) go wrong, so many times or with a
                         probability from 0.0 to 1.0, as in login:429=5:3 or perfil:reset:0.2; may be given again:
${list(faultKindNames.map((kind) => [faultKinds[kind].parameter ? `${kind}=…` : kind, faultKinds[kind].help] as const))}  --seed N               decides every probability and random time; the same seed gives the same run
`;

type Values = { dialect?: string; fault?: string[]; seed?: string; wrong?: string[] };

type Read = { kind: 'read'; value: Partial<BehaviourSettings> | undefined } | { kind: 'wrong'; sentence: string };

const wrongUse = (sentence: string): Read => ({ kind: 'wrong', sentence });

const MOST_SEED = 2 ** 32 - 1;

/** Reads the options, which are for loopback only. Without a seed one is drawn here, so that it can be told. */
export function readBehaviourOptions({ dialect, fault, seed, wrong }: Values, isOnLoopback: boolean): Read {
  if (dialect === undefined && !fault && seed === undefined && !wrong) return { kind: 'read', value: undefined };
  if (!isOnLoopback) return wrongUse('The options --dialect, --fault, --seed and --wrong are for loopback only.');

  if (dialect !== undefined && !isDialectName(dialect)) {
    return wrongUse(`There is no dialect "${dialect}", only ${Object.keys(dialects).join(', ')}.`);
  }
  const names: WrongName[] = [];
  for (const name of wrong ?? []) {
    if (!isWrongName(name)) {
      return wrongUse(`There is no way to be wrong named "${name}", only ${Object.keys(wrongs).join(', ')}.`);
    }
    if (!names.includes(name)) names.push(name);
  }
  const faults: Fault[] = [];
  for (const text of fault ?? []) {
    const read = parseFault(text);
    if (!read.ok) return wrongUse(read.sentence);
    faults.push(read.fault);
  }
  if (seed !== undefined && faults.length === 0) return wrongUse('The option --seed needs a --fault.');
  if (seed !== undefined && (!/^\d{1,10}$/.test(seed) || Number(seed) > MOST_SEED)) {
    return wrongUse(`The option --seed takes a number from 0 to ${MOST_SEED}, not "${seed}".`);
  }
  const chosen = seed === undefined ? randomInt(MOST_SEED) : Number(seed);
  return { kind: 'read', value: { dialect, faults, seed: chosen, wrong: names } };
}
