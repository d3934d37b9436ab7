import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { codeOf } from '../error-code.ts';
import { ServerModel } from './model.ts';

const LARGEST_MODEL_BYTES = 5 * 1024 * 1024;
const deepest = 64;
const mostValues = 200_000;

/** Why a text is no model. */
type ModelProblem =
  | 'unreadable'
  | 'too-large'
  | 'too-deep'
  | 'not-json'
  | 'report-without-model'
  | 'not-a-model'
  | 'other-version'
  | 'forbidden-name'
  | 'wrong-content';

type Refusal = {
  ok: false;
  problem: ModelProblem;
  /** It says the problem in English. */
  sentence: string;
  /** The part that is wrong, or the system's code. */
  detail?: string | undefined;
};

export type ModelRead = { ok: true; model: ServerModel } | Refusal;

const no = (problem: ModelProblem, sentence: string, detail?: string): Refusal => ({
  ok: false,
  problem,
  sentence,
  ...(detail !== undefined && { detail }),
});

/** As keys, these names mean something to JavaScript itself. */
const dangerousNames = new Set(['__proto__', 'constructor', 'prototype']);

const tooLarge = no('too-large', 'The model is larger than 5 MB.');
const nestedTooDeep = no('too-deep', `The model is nested more than ${deepest} levels deep.`);
const namedForbidden = (name: string): Refusal =>
  no('forbidden-name', `The model has a field named "${name}", which is not allowed.`, name);

/** Says what is wrong with parsed JSON whatever it means. It keeps its own stack, so that no nesting ends the program. */
function jsonProblem(parsed: unknown): Refusal | undefined {
  const waiting: { value: unknown; depth: number }[] = [{ value: parsed, depth: 1 }];
  let values = 0;
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { value, depth } = next;
    values += 1;
    if (values > mostValues) return no('too-large', `The model holds more than ${mostValues} values.`);
    if (depth > deepest) return nestedTooDeep;
    if (typeof value !== 'object' || value === null) continue;
    for (const name of Object.keys(value)) {
      if (dangerousNames.has(name)) return namedForbidden(name);
      waiting.push({ value: Reflect.get(value, name), depth: depth + 1 });
    }
  }
  return undefined;
}

const isNamed = (value: unknown, name: string, wanted: unknown): boolean =>
  typeof value === 'object' && value !== null && Reflect.get(value, name) === wanted;

/** Reads the text of a model, or of a report that holds one, or says in one sentence why it is none. */
export function readModel(text: string): ModelRead {
  if (Buffer.byteLength(text) > LARGEST_MODEL_BYTES) return tooLarge;
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return error instanceof RangeError ? nestedTooDeep : no('not-json', 'The model is no JSON.');
  }
  if (isNamed(parsed, 'schema', 'llavero-report')) return modelInReport(parsed);
  return modelOf(parsed);
}

/** Reads the model in the report of a shared finding. */
function modelInReport(report: unknown): ModelRead {
  const model: unknown = typeof report === 'object' && report !== null ? Reflect.get(report, 'model') : undefined;
  if (model !== undefined) return modelOf(model);
  return no('report-without-model', 'This report has no model in it: a model is made with check --model.');
}

function modelOf(parsed: unknown): ModelRead {
  if (!isNamed(parsed, 'schema', 'llavero-model')) return no('not-a-model', 'This is no model of a server.');
  if (!isNamed(parsed, 'version', 1))
    return no('other-version', 'The model is of another version than 1, which is the only one known.');
  const problem = jsonProblem(parsed);
  if (problem) return problem;
  const read = ServerModel.safeParse(parsed);
  if (read.success) return { ok: true, model: read.data };
  const [issue] = read.error.issues;
  const place = issue?.path.map(String).join('.').slice(0, 200) ?? '';
  const sentence = `The model is not as its schema says${place === '' ? '' : `, at ${place}`}.`;
  return no('wrong-content', sentence, place === '' ? undefined : place);
}

/** Reads a model's file, of which no more than a model may have is looked at. */
export async function readModelFile(file: string): Promise<ModelRead> {
  try {
    // A pipe would otherwise be waited for.
    const handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const about = await handle.stat();
      if (!about.isFile()) return no('unreadable', 'The model is no plain file.');
      if (about.size > LARGEST_MODEL_BYTES) return tooLarge;
      return readModel(await handle.readFile('utf8'));
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = codeOf(error) || 'unreadable';
    return no('unreadable', `The model cannot be read (${code}).`, code);
  }
}
