import type { TransportCall } from '../../client/call.ts';
import { isGeneric } from '../../client/reading/sentences.ts';
import { refusedForForgery } from '../../client/refused-calls.ts';
import { readResponseTexts } from '../../client/response-texts.ts';
import { hasPasswordInput } from '../../interface/success.ts';
import { isRecord, type PlainJson } from '../../interface/template.ts';

/**
 * Fields with a CSRF token that a page issues anew at each visit: of Rails, Django, Laravel, ASP.NET, Symfony, Tornado,
 * WordPress, Magento, Drupal and Moodle.
 */
const tokenField =
  /^(?:authenticity_?token|csrf_?middleware_?token|_token|__?request_?verification_?token|_*(?:x-?)?(?:csrf|xsrf)[\w-]*|anti_?forgery[\w-]*|_wpnonce|form_key|form_build_id|logintoken)$/i;

export type FormCsrfToken = { name: string; path: readonly string[]; value: string };

/** The first member of a body, nested ones too, with a CSRF token of a page. */
export function findFormCsrfToken(
  body: PlainJson | undefined,
  path: readonly string[] = [],
): FormCsrfToken | undefined {
  if (!isRecord(body) || path.length > 3) return undefined;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && tokenField.test(name)) return { name, path: [...path, name], value };
    const inner = findFormCsrfToken(value, [...path, name]);
    if (inner) return inner;
  }
  return undefined;
}

const rejectionStatuses: ReadonlySet<number> = new Set([400, 403, 419, 422]);

/**
 * Whether a form was rejected for its CSRF token: the response names it, or names nothing that was entered, as Rails with
 * 422 and ASP.NET with 400. A page that asks for the password again is a rejection of the password.
 */
export function isRejectedForFormToken({ response }: Pick<TransportCall, 'response'>): boolean {
  if (!response || !rejectionStatuses.has(response.status)) return false;
  if (refusedForForgery(response) !== undefined) return true;
  const { body } = response;
  if (/^\s*</.test(body)) return !hasPasswordInput(body);
  return readResponseTexts(body).every(({ text }) => isGeneric(text) || /^\d+$/.test(text));
}
