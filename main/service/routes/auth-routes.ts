import type { App, RouteDependencies } from '../route-dependencies.ts';
import { accountRoutes } from './account/account-routes.ts';
import { loginRoute } from './login.ts';
import { registrationRoutes } from './register.ts';
import { createBearerCheck } from './require-bearer.ts';
import { sessionRoutes } from './session-routes.ts';

export const authPrefix = '/api/v1/auth';

/** The routes of the default API, and the account calls if they are on. Bodies are validated in the handlers, whose errors are in the request's language. */
export function authRoutes(app: App, parts: RouteDependencies): void {
  app.setValidatorCompiler(() => (data) => ({ value: data }));
  registrationRoutes(app, parts);
  loginRoute(app, parts);
  const requireBearer = createBearerCheck(app, parts);
  sessionRoutes(app, parts, requireBearer);
  const { accountCalls } = parts;
  if (accountCalls) accountRoutes(app, { ...parts, accountCalls }, requireBearer);
}
