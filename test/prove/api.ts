import { z } from 'zod';

export const User = z.object({ id: z.int(), name: z.string(), email: z.string(), created_at: z.string() });
export type User = z.infer<typeof User>;

const Registered = z.object({ user: User });
const LoggedIn = z.object({ token: z.string(), user: User });

/** Nothing in the service waits as long as this, for a lock or for a database to come back. */
const ANSWER_WITHIN_MS = 30_000;

/** An answer that came whole. The status 0 stands for no answer within {@link ANSWER_WITHIN_MS}. */
export type ApiAnswer = { status: number; body: unknown };

/** Makes what a client sends. Each call answers nothing when the connection ended before the answer did. */
export function createApi(baseUrl: string) {
  async function ask(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    token?: string,
  ): Promise<ApiAnswer | undefined> {
    try {
      const answer = await fetch(`${baseUrl}/api/v1/auth/${path}`, {
        method,
        headers: {
          accept: 'application/json',
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
      });
      return { status: answer.status, body: await answer.json() };
    } catch (error) {
      // A service that lives and says nothing was not killed.
      const isSilent = error instanceof Error && error.name === 'TimeoutError';
      return isSilent ? { status: 0, body: undefined } : undefined;
    }
  }
  return {
    register: (person: ApiPerson) => ask('POST', 'registro', person),
    login: ({ email, password }: ApiPerson) => ask('POST', 'login', { email, password }),
    profile: (token: string) => ask('GET', 'perfil', undefined, token),
    logout: (token: string) => ask('POST', 'salir', undefined, token),
  };
}

export type AuthApi = ReturnType<typeof createApi>;
export type ApiPerson = { name: string; email: string; password: string };

export const userOfRegistration = (body: unknown): User => Registered.parse(body).user;
export const tokenOfLogin = (body: unknown): string => LoggedIn.parse(body).token;
