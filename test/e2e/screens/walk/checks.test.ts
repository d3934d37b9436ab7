import { walk } from '../../../support/walk/walk.ts';

walk('checks');
