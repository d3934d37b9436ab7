import type { App, Parts } from '../parts.ts';
import { loginRoute } from './login.ts';
import { registrationRoutes } from './register.ts';
import { sessionRoutes } from './session-routes.ts';

export const authPrefix = '/api/v1/auth';

/** The routes of the interface. Bodies are judged by the handlers, which answer in the request's language. */
export function authRoutes(app: App, parts: Parts): void {
  app.setValidatorCompiler(() => (data) => ({ value: data }));
  registrationRoutes(app, parts);
  loginRoute(app, parts);
  sessionRoutes(app, parts);
}
