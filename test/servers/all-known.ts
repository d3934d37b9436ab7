import { known as django } from './django/known.ts';
import { known as express } from './express/known.ts';
import { known as fastapi } from './fastapi/known.ts';
import { known as fastify } from './fastify/known.ts';
import { known as flask } from './flask/known.ts';
import type { Known } from './known-server.ts';
import { known as nestjs } from './nestjs/known.ts';
import { known as rails } from './rails/known.ts';
import type { ServerName } from './start-server.ts';

export const knownOf: Record<ServerName, Known> = { express, fastify, nestjs, django, flask, fastapi, rails };
