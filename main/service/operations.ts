import type { FastifyRequest } from 'fastify';
import { operations, type Operation } from '../../preload/contract/names.ts';

/** Returns the operation of the interface whose route has a path. */
export function operationAt(url: string): Operation | undefined {
  const last = url.slice(url.lastIndexOf('/') + 1);
  return operations.find((operation) => operation === last);
}

/** Returns the operation of the interface whose route was found for a request. */
export const operationOf = ({ routeOptions }: FastifyRequest): Operation | undefined =>
  operationAt(routeOptions.url ?? '');
