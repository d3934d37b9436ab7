import type { DialectName } from '../../../preload/contract/names.ts';
import type { DialectDefinition } from './dialects/dialect.ts';
import { django } from './dialects/django.ts';
import { errorTrue } from './dialects/error-true.ts';
import { express } from './dialects/express.ts';
import { fastapi } from './dialects/fastapi.ts';
import { sanctum, tutorial } from './dialects/laravel.ts';
import { nestjs } from './dialects/nestjs.ts';
import { spring } from './dialects/spring.ts';

export const dialects: Record<DialectName, DialectDefinition> = {
  sanctum,
  tutorial,
  'error-true': errorTrue,
  express,
  nestjs,
  spring,
  django,
  fastapi,
};
