import type { TransportCall } from '../../client/call.ts';
import { isGeneric } from '../../client/reading/sentences.ts';
import { refusedForForgery } from '../../client/refused-calls.ts';
import { readResponseTexts } from '../../client/response-texts.ts';
import { hasPasswordInput } from '../../interface/success.ts';
import { isRecord, type PlainJson } from '../../interface/template.ts';

/**
 * Members of forms that hold a token of their page, which is another one at each visit: of Rails, Django, Laravel, ASP.NET, Symfony,
 * Tornado, WordPress, Magento, Drupal and Moodle.
 */
const ofPage =
  /^(?:authenticity_?token|csrf_?middleware_?token|_token|__?request_?verification_?token|_*(?:x-?)?(?:csrf|xsrf)[\w-]*|anti_?forgery[\w-]*|_wpnonce|form_key|form_build_id|logintoken)$/i;

export type FormCsrfToken = { name: string; way: readonly string[]; value: string };

/** The first member of a body that holds a token of a page, also within another member. */
export function findFormCsrfToken(body: PlainJson | undefined, way: readonly string[] = []): FormCsrfToken | undefined {
  if (!isRecord(body) || way.length > 3) return undefined;
  for (const [name, value] of Object.entries(body)) {
    if (typeof value === 'string' && ofPage.test(name)) return { name, way: [...way, name], value };
    const inner = findFormCsrfToken(value, [...way, name]);
    if (inner) return inner;
  }
  return undefined;
}

const statuses: ReadonlySet<number> = new Set([400, 403, 419, 422]);

/**
 * Whether a form with a token of its page was refused for that: the answer speaks of it, or says nothing of what was
 * entered, as Rails does by 422 and ASP.NET by 400. A page that asks for the password again is a no to that.
 */
export function isRejectedForFormToken({ response }: Pick<TransportCall, 'response'>): boolean {
  if (!response || !statuses.has(response.status)) return false;
  if (refusedForForgery(response) !== undefined) return true;
  const { body } = response;
  if (/^\s*</.test(body)) return !hasPasswordInput(body);
  return readResponseTexts(body).every(({ text }) => isGeneric(text) || /^\d+$/.test(text));
}
