import type { FastifyRequest } from 'fastify';
import { operationOfPath, type Operation } from '../../preload/contract/names.ts';

export const operationAt = (url: string): Operation | undefined => operationOfPath(url.slice(url.lastIndexOf('/') + 1));

/** The operation of the route of a request. */
export const operationOf = ({ routeOptions }: FastifyRequest): Operation | undefined =>
  operationAt(routeOptions.url ?? '');
