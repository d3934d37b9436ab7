import type { FastifyRequest } from 'fastify';

/** The operations of the interface. Each has the name of the last part of its path. */
export const operations = ['registro', 'register', 'login', 'perfil', 'salir'] as const;
export type Operation = (typeof operations)[number];

const isOperation = (text: string): text is Operation => operations.some((operation) => operation === text);

/** Returns the operation of the interface whose route was found for a request. */
export function operationOf({ routeOptions }: FastifyRequest): Operation | undefined {
  const last = routeOptions.url?.split('/').at(-1) ?? '';
  return isOperation(last) ? last : undefined;
}
