import { walk } from '../../../support/walk/walk.ts';

walk('built-in-server');
