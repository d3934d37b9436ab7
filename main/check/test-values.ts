import { isEndpointMissing, type Observation } from './observation.ts';

/** What no server gave to renew a session by. */
export const invalidRefreshToken = 'llavero-was-never-given-this';

/** No server knows this header: one that allows it allows whatever is asked for. */
export const unknownHeader = 'x-llavero-asks';

/** A server that misses a field asks for what the interface does not have, or did not read what was sent. */
const asksForMore =
  /\b(?:required|missing|blank|empty|must be provided|obligatori[oa]s?|requerid[oa]s?|falta|vacío|obrigatóri[oa]|manquant|requis|erforderlich|fehlt)\b/i;
const namesOurs = /\b(?:e-?mail|domain|address|password|name|correo|dominio|contraseña|nombre|senha|nome)\b/i;

/** Says whether a refusal may be for what was sent: it judges that, or its words name a part of it. */
export const isPossibleTestValueRejection = ({ handling, error }: Observation): boolean =>
  handling === 'refused' &&
  (error?.kind === 'validation' ||
    (error !== undefined && 'message' in error && namesOurs.test((error.message ?? '').slice(0, mostCharacters))));

const mostCharacters = 2_000;

/**
 * Says whether a registration as the interface describes it was refused for a value that the run chose: an address
 * under a reserved name, a password or a name. The server may be right, then.
 */
export function isTestValueRejection(seen: Observation): boolean {
  const { error } = seen;
  if (seen.handling !== 'refused' || isEndpointMissing(seen) || error?.kind !== 'validation') return false;
  const ofFields = Object.values(error.fields).flat();
  const texts = ofFields.length > 0 ? ofFields : error.message === undefined ? [] : [error.message];
  return texts.some((text) => {
    const beginning = text.slice(0, mostCharacters);
    return !asksForMore.test(beginning) && (ofFields.length > 0 || namesOurs.test(beginning));
  });
}
