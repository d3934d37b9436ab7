import type { ProfileField } from '../../preload/contract/models.ts';
import { createSecretFinder, maskStrings, type Mask } from './secrets/mask-secrets.ts';
import { holdsSecret } from './secrets/is-secret.ts';
import { findUserInResponse, type Interpretation, type InterpretedResponse } from './parse-response.ts';
import { parseBody } from './reading/body.ts';
import { redactJson as textWithoutSecrets, type SecretPredicate, type RedactedJson } from './reading/json-text.ts';
import { profileFields } from './reading/profile.ts';

/** What an answer says of a person beside their name, email and id. No secret is in it. */
type Sent = {
  rest: ProfileField[];
  /** How many values are not among the rows. */
  left: number;
  /** The whole answer. It is absent where that says nothing of a person. */
  sent?: RedactedJson;
};

/** A reading that may be shown: only `meaning.token` still holds a secret, for the vault. */
export type RedactedInterpretation = Interpretation & Sent;

export function redactInterpretation(
  understood: InterpretedResponse,
  secrets: readonly string[],
): RedactedInterpretation {
  const { interpretation } = understood;
  const { token } = interpretation.summary;
  const { isKnownWithin, hide } = createSecretFinder(token === undefined ? secrets : [...secrets, token]);
  const hidden = withoutSecretsIn(interpretation, hide);
  return {
    ...hidden,
    summary: { ...hidden.summary, ...(token !== undefined && { token }) },
    ...extractProfile(
      understood,
      (text, naming, isNumber) => holdsSecret(text, naming, isNumber) || isKnownWithin(text),
    ),
  };
}

/** Reads what an answer says of a person. Secrets are judged before anything is shortened. */
export function extractProfile(
  { operation, response, interpretation }: InterpretedResponse,
  judge: SecretPredicate = holdsSecret,
): Sent {
  if (!interpretation.summary.user) return { rest: [], left: 0 };
  const { json, text, left } = parseBody(response.body);
  const found = findUserInResponse(response, json);
  const sent = textWithoutSecrets(text, judge);
  return { ...profileFields(found, { operation, left, judge }), ...(sent && { sent }) };
}

/** What an answer says, without secrets before anything of it is shortened. */
export const redactResponse = (
  { response, interpretation }: Pick<InterpretedResponse, 'response' | 'interpretation'>,
  hide: Mask,
): Pick<InterpretedResponse, 'response' | 'interpretation'> => ({
  response: { ...response, headers: maskStrings(response.headers, hide) },
  interpretation: withoutSecretsIn(interpretation, hide),
});

function withoutSecretsIn(reading: Interpretation, hide: Mask): Interpretation {
  const hiddenReading = maskStrings(reading, hide);
  const { fieldErrors } = hiddenReading.summary;
  // The names in there are the server's own.
  return fieldErrors
    ? { ...hiddenReading, summary: { ...hiddenReading.summary, fieldErrors: withoutSecretsInNames(fieldErrors, hide) } }
    : hiddenReading;
}

const withoutSecretsInNames = <T>(record: Record<string, T>, hide: (text: string) => string): Record<string, T> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [hide(name), value]));
