import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import type { AccountDefectName } from '../../../preload/contract/names.ts';
import { emailKey } from '../domain/emails.ts';
import type { App } from '../route-dependencies.ts';
import { authPrefix } from '../routes/auth-routes.ts';
import type { AccountStore } from '../stores/account-store.ts';
import { parseBody, unknownEmailText, withToken } from './alter-response.ts';
import { ANY_CODE } from './defective-account-calls.ts';
import type { DefectActivations } from './defects.ts';

type HookDependencies = {
  activations: Pick<DefectActivations, 'isOn'>;
  accounts: Pick<AccountStore, 'findLogin'>;
  secretOf: (tokenId: number) => string | undefined;
};

const membersOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};

const isText = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** Fills in what a request lacks while a defect does without it. */
function fillBody(request: FastifyRequest, name: string, value: string): void {
  const sent = membersOf(request.body);
  if (!isText(sent[name])) request.body = { ...sent, [name]: value };
}

/** By the path of the route: what the body gets before it is checked. */
const fillings: Record<string, { defect: AccountDefectName; name: string; value: string; isOptional?: boolean }> = {
  // Without the member, the login asks for a code as ever: otherwise nobody would see that there is a factor.
  '/login': { defect: 'code-not-required', name: 'code', value: ANY_CODE, isOptional: true },
  '/login/code': { defect: 'code-not-required', name: 'code', value: ANY_CODE },
  '/password': { defect: 'current-password-ignored', name: 'currentPassword', value: '-' },
  '/account': { defect: 'deleted-without-password', name: 'password', value: '-' },
};

const telling: Record<string, AccountDefectName> = {
  '/password/forgot': 'forgot-tells',
  '/email/resend': 'resend-tells',
};

/** Turns the response for an unknown email into 404. */
async function tellUnknown(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  accounts: HookDependencies['accounts'],
): Promise<unknown> {
  const { email } = membersOf(request.body);
  if (reply.statusCode !== 200 || typeof email !== 'string') return payload;
  if (await accounts.findLogin(emailKey(email.trim()))) return payload;
  reply.code(404);
  return JSON.stringify({ message: unknownEmailText(request) });
}

/** Simulates those vulnerabilities of the account calls that are in a request or a response. */
export function addAccountDefectHooks(app: App, { activations, accounts, secretOf }: HookDependencies): void {
  app.addHook('onRoute', (route) => {
    const path = route.url.startsWith(authPrefix) ? route.url.slice(authPrefix.length) : '';
    const filling = Object.hasOwn(fillings, path) ? fillings[path] : undefined;
    const tells = Object.hasOwn(telling, path) ? telling[path] : undefined;
    if (filling) {
      const fill: preValidationHookHandler = (request, _reply, done) => {
        const isFilled = !filling.isOptional || filling.name in membersOf(request.body);
        if (activations.isOn(filling.defect) && isFilled) fillBody(request, filling.name, filling.value);
        done();
      };
      route.preValidation = [fill, ...[route.preValidation ?? []].flat()];
    }
    const alter = async (request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> => {
      if (tells !== undefined)
        return activations.isOn(tells) ? tellUnknown(request, reply, payload, accounts) : payload;
      // That of a login, while tokens can be guessed.
      const [body, isChanged] = typeof payload === 'string' ? withToken('login', parseBody(payload), { secretOf }) : [];
      return isChanged ? JSON.stringify(body) : payload;
    };
    if (tells !== undefined || path.startsWith('/login/')) route.onSend = [...[route.onSend ?? []].flat(), alter];
  });
}
