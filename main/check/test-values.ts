import { isEndpointMissing, type Observation } from './observation.ts';

/** No server has issued it. */
export const invalidRefreshToken = 'llavero-was-never-given-this';

/** A server that allows it in CORS allows any header. */
export const unknownHeader = 'x-llavero-asks';

/** Such a refusal is about a field that the API lacks or that the server did not read, not about our value. */
const missingFieldPattern =
  /\b(?:required|missing|blank|empty|must be provided|obligatori[oa]s?|requerid[oa]s?|falta|vacío|obrigatóri[oa]|manquant|requis|erforderlich|fehlt)\b/i;
const ourFieldPattern = /\b(?:e-?mail|domain|address|password|name|correo|dominio|contraseña|nombre|senha|nome)\b/i;

/** True if a refusal may be due to a value of the check: a validation error, or a message that names its field. */
export const isPossibleTestValueRejection = ({ handling, error }: Observation): boolean =>
  handling === 'refused' &&
  (error?.kind === 'validation' ||
    (error !== undefined &&
      'message' in error &&
      ourFieldPattern.test((error.message ?? '').slice(0, maxSearchedCharacters))));

const maxSearchedCharacters = 2_000;

/**
 * True if a valid registration was rejected for a value that the check chose, such as an email under a reserved domain.
 * The server may be right then.
 */
export function isTestValueRejection(observation: Observation): boolean {
  const { error } = observation;
  if (observation.handling !== 'refused' || isEndpointMissing(observation) || error?.kind !== 'validation')
    return false;
  const ofFields = Object.values(error.fields).flat();
  const texts = ofFields.length > 0 ? ofFields : error.message === undefined ? [] : [error.message];
  return texts.some((text) => {
    const beginning = text.slice(0, maxSearchedCharacters);
    return !missingFieldPattern.test(beginning) && (ofFields.length > 0 || ourFieldPattern.test(beginning));
  });
}
