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

const mostProposals = 5;
const longest = 300;

type Rule = (seen: StepResponse, tried: TrialContext) => DescriptionChange[];

/** What the server said of its token against forged requests and its redirects says nothing of bodies. */
const rules: readonly Rule[] = [proposeSessionChanges, proposePathChanges, proposeBodyChanges];

/**
 * The changes of a description that would mend what was seen, the likeliest first: those of the first call that failed, and
 * of what may fail beside a session. Each is the whole text with one change, which reads without a fault. No secret is in
 * one: a change that would hold what the server gave, or what was typed, is not made.
 */
export function createProposals(
  { adapter, text, steps, guesses }: Omit<TrialContext, 'description'> & { text: string },
  secrets: readonly string[],
): TrialProposal[] {
  const json = text === '' ? asJson(adapter.description) : parseJson(text.replace(/^\uFEFF/, ''));
  if (!isRecord(json)) return [];
  const tried: TrialContext = { description: json, adapter, steps, guesses };
  const failed = steps.filter(({ result }) => !result.ok);
  const first = failed.slice(0, 1);
  const others = failed.slice(1).filter(({ name }) => name === 'logout' && first[0]?.name === 'refresh');
  const changes = [...first, ...others].flatMap((step) => {
    const seen = readStepResponse(step, tried);
    return seen ? rules.flatMap((rule) => rule(seen, tried)) : [];
  });
  const added = steps.flatMap(({ calls }) => calls.flatMap(addedValues));
  const finder = createSecretFinder([...secrets, ...added]);
  const proposals = [...changes, ...proposeRefreshChanges(tried)].flatMap((change) => proposalOf(change, json, finder));
  const texts = proposals.map((each) => each.text);
  return proposals.filter((each, at) => texts.indexOf(each.text) === at).slice(0, mostProposals);
}

type Finder = ReturnType<typeof createSecretFinder>;

function proposalOf(
  change: DescriptionChange,
  json: PlainJsonObject,
  { hide, isKnownWithin }: Finder,
): TrialProposal[] {
  const after = applyChange(json, change);
  const text = JSON.stringify(after, null, 2);
  const isSame = after === undefined || text === JSON.stringify(json, null, 2);
  const before = new Set(textsIn(json));
  // Who has `password` for a password still has a member of that name.
  const added = textsIn(change.parts.map(({ to }) => to ?? '')).filter(
    (each) => !before.has(each) && !isUsualField(each),
  );
  const isLeaking = added.some((each) => isKnownWithin(each) || hide(each) !== each);
  if (isSame || isLeaking || !readDescription(text).ok) return [];
  const { at, value, evidence } = change;
  const said = evidence === undefined ? undefined : plain(hide(evidence));
  return [{ at, value: plain(value), ...(said !== undefined && { evidence: said }), text }];
}

/** The names and texts of JSON. */
function textsIn(json: PlainJson): string[] {
  if (typeof json === 'string') return [json];
  if (json === null || typeof json !== 'object') return [];
  return [...(Array.isArray(json) ? [] : Object.keys(json)), ...Object.values(json).flatMap(textsIn)];
}

/** On one line, in one direction, and of some length. */
function plain(text: string): string {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ');
  return line.length > longest ? `${line.slice(0, longest - 1)}…` : line;
}

/** A description that was read, as the JSON that it was read from. */
const asJson = (description: TrialContext['adapter']['description']) => parseJson(JSON.stringify(description));
