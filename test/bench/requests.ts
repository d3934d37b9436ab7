import { z } from 'zod';

export const PROFILE_PATH = '/api/v1/auth/perfil';
export const person = { name: 'Ana Prueba', email: 'ana@example.test', password: 'correct horse battery' };

const json = { 'content-type': 'application/json', accept: 'application/json' };

export const profileHeaders = (token: string): Record<string, string> => ({
  accept: 'application/json',
  authorization: `Bearer ${token}`,
});

/** Posts JSON and returns the answer. @throws Error for an answer that is not 2xx */
export async function post(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(url, { method: 'POST', headers: { ...json, ...headers }, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${await response.text()}`);
  return response;
}

const WithToken = z.object({ token: z.string() });

/** Registers the bench's person with the built-in server, and answers a token. */
export async function signInTo(baseUrl: string): Promise<string> {
  await post(`${baseUrl}/api/v1/auth/registro`, person);
  const answer = await post(`${baseUrl}/api/v1/auth/login`, person);
  return WithToken.parse(await answer.json()).token;
}
