import type { FastifyRequest } from 'fastify';
import { operations, type Operation } from '../../preload/contract/names.ts';

export function operationAt(url: string): Operation | undefined {
  const last = url.slice(url.lastIndexOf('/') + 1);
  return operations.find((operation) => operation === last);
}

/** The operation of the route of a request. */
export const operationOf = ({ routeOptions }: FastifyRequest): Operation | undefined =>
  operationAt(routeOptions.url ?? '');
