import type { ProfileField } from '../../preload/contract/models.ts';
import { createSecretFinder, maskStrings, type Mask } from './secrets/mask-secrets.ts';
import { holdsSecret } from './secrets/is-secret.ts';
import { findUserInResponse, type Interpretation, type InterpretedResponse } from './parse-response.ts';
import { parseBody } from './reading/body.ts';
import { redactJson, type SecretPredicate, type RedactedJson } from './reading/json-text.ts';
import { profileFields } from './reading/profile.ts';

/** What a response has about the user beside name, email and id, redacted. */
type ProfileDetails = {
  rest: ProfileField[];
  /** The number of values without a row. */
  left: number;
  /** The whole response, if it has a user. */
  sent?: RedactedJson;
};

/** An interpretation for display: only `summary.token` is still a secret, for the vault. */
export type RedactedInterpretation = Interpretation & ProfileDetails;

export function redactInterpretation(
  interpreted: InterpretedResponse,
  secrets: readonly string[],
): RedactedInterpretation {
  const { interpretation } = interpreted;
  const { token } = interpretation.summary;
  const { isKnownWithin, hide } = createSecretFinder(token === undefined ? secrets : [...secrets, token]);
  const hidden = maskInterpretation(interpretation, hide);
  return {
    ...hidden,
    summary: { ...hidden.summary, ...(token !== undefined && { token }) },
    ...extractProfile(
      interpreted,
      (text, naming, isNumber) => holdsSecret(text, naming, isNumber) || isKnownWithin(text),
    ),
  };
}

/** The details of a profile. Secrets are redacted before anything is shortened. */
export function extractProfile(
  { operation, response, interpretation }: InterpretedResponse,
  isSecret: SecretPredicate = holdsSecret,
): ProfileDetails {
  if (!interpretation.summary.user) return { rest: [], left: 0 };
  const { json, text, left } = parseBody(response.body);
  const found = findUserInResponse(response, json);
  const sent = redactJson(text, isSecret);
  return { ...profileFields(found, { operation, left, judge: isSecret }), ...(sent && { sent }) };
}

/** Redacts a response and its interpretation, before anything is shortened. */
export const redactResponse = (
  { response, interpretation }: Pick<InterpretedResponse, 'response' | 'interpretation'>,
  hide: Mask,
): Pick<InterpretedResponse, 'response' | 'interpretation'> => ({
  response: { ...response, headers: maskStrings(response.headers, hide) },
  interpretation: maskInterpretation(interpretation, hide),
});

function maskInterpretation(interpretation: Interpretation, hide: Mask): Interpretation {
  const masked = maskStrings(interpretation, hide);
  const { fieldErrors } = masked.summary;
  // Its keys are the server's own.
  return fieldErrors ? { ...masked, summary: { ...masked.summary, fieldErrors: maskKeys(fieldErrors, hide) } } : masked;
}

const maskKeys = <T>(record: Record<string, T>, hide: (text: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [hide(name), value]));
