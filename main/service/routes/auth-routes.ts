import type { App, RouteDependencies } from '../route-dependencies.ts';
import { loginRoute } from './login.ts';
import { registrationRoutes } from './register.ts';
import { sessionRoutes } from './session-routes.ts';

export const authPrefix = '/api/v1/auth';

/** The routes of the default API. Bodies are validated in the handlers, whose errors are in the request's language. */
export function authRoutes(app: App, parts: RouteDependencies): void {
  app.setValidatorCompiler(() => (data) => ({ value: data }));
  registrationRoutes(app, parts);
  loginRoute(app, parts);
  sessionRoutes(app, parts);
}
