import { django } from './dialects/django.ts';
import { errorTrue } from './dialects/error-true.ts';
import { express } from './dialects/express.ts';
import { fastapi } from './dialects/fastapi.ts';
import { sanctum, tutorial } from './dialects/laravel.ts';
import { nestjs } from './dialects/nestjs.ts';
import { spring } from './dialects/spring.ts';

/** Every dialect by its name, in the order in which people are offered them. */
export const dialects = {
  sanctum,
  tutorial,
  'error-true': errorTrue,
  express,
  nestjs,
  spring,
  django,
  fastapi,
} as const;

export type DialectName = keyof typeof dialects;

export const isDialectName = (name: string): name is DialectName => Object.hasOwn(dialects, name);
