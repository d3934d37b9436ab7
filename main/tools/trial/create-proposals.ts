import type { TrialProposal } from '../../../preload/contract/trial.ts';
import { addedValues } from '../../client/extra-headers.ts';
import { createSecretFinder } from '../../client/secrets/mask-secrets.ts';
import { readDescription } from '../../interface/read-description.ts';
import { isRecord, parseJson, type PlainJson } from '../../interface/template.ts';
import { proposeBodyChanges, isUsualField } from './body-rules.ts';
import { applyChange, type DescriptionChange, type PlainJsonObject } from './description-change.ts';
import { proposePathChanges } from './path-rules.ts';
import { proposeRefreshChanges } from './refresh-rules.ts';
import { readStepResponse, type StepResponse, type TrialContext } from './step-response.ts';
import { proposeSessionChanges } from './session-rules.ts';

const maxProposals = 5;
const maxLength = 300;

type Rule = (stepResponse: StepResponse, context: TrialContext) => DescriptionChange[];

const rules: readonly Rule[] = [proposeSessionChanges, proposePathChanges, proposeBodyChanges];

/**
 * Changes of a description that would fix the first call that failed, the likeliest first. Each proposal is the whole text
 * with one change, and is a valid description. A change that would contain a secret, received or typed, is left out.
 */
export function createProposals(
  { adapter, text, steps, guesses }: Omit<TrialContext, 'description'> & { text: string },
  secrets: readonly string[],
): TrialProposal[] {
  const json = text === '' ? toJson(adapter.description) : parseJson(text.replace(/^\uFEFF/, ''));
  if (!isRecord(json)) return [];
  const context: TrialContext = { description: json, adapter, steps, guesses };
  const failed = steps.filter(({ result }) => !result.ok);
  const first = failed.slice(0, 1);
  const others = failed.slice(1).filter(({ name }) => name === 'logout' && first[0]?.name === 'refresh');
  const changes = [...first, ...others].flatMap((step) => {
    const stepResponse = readStepResponse(step, context);
    return stepResponse ? rules.flatMap((rule) => rule(stepResponse, context)) : [];
  });
  const added = steps.flatMap(({ calls }) => calls.flatMap(addedValues));
  const finder = createSecretFinder([...secrets, ...added]);
  const proposals = [...changes, ...proposeRefreshChanges(context)].flatMap((change) =>
    toProposal(change, json, finder),
  );
  const texts = proposals.map((each) => each.text);
  return proposals.filter((each, at) => texts.indexOf(each.text) === at).slice(0, maxProposals);
}

type Finder = ReturnType<typeof createSecretFinder>;

function toProposal(
  change: DescriptionChange,
  json: PlainJsonObject,
  { hide, isKnownWithin }: Finder,
): TrialProposal[] {
  const after = applyChange(json, change);
  const text = JSON.stringify(after, null, 2);
  const isSame = after === undefined || text === JSON.stringify(json, null, 2);
  const before = new Set(textsIn(json));
  // A usual name is no leak, even if the password of the account is `password`.
  const added = textsIn(change.parts.map(({ to }) => to ?? '')).filter(
    (each) => !before.has(each) && !isUsualField(each),
  );
  const isLeaking = added.some((each) => isKnownWithin(each) || hide(each) !== each);
  if (isSame || isLeaking || !readDescription(text).ok) return [];
  const { at, value, evidence } = change;
  return [{ at, value: toLine(value), ...(evidence !== undefined && { evidence: toLine(hide(evidence)) }), text }];
}

/** All member names and texts. */
function textsIn(json: PlainJson): string[] {
  if (typeof json === 'string') return [json];
  if (json === null || typeof json !== 'object') return [];
  return [...(Array.isArray(json) ? [] : Object.keys(json)), ...Object.values(json).flatMap(textsIn)];
}

/** One line without control and direction characters, of limited length. */
function toLine(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > maxLength ? `${line.slice(0, maxLength - 1)}…` : line;
}

const toJson = (description: TrialContext['adapter']['description']) => parseJson(JSON.stringify(description));
