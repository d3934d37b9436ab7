import { walk } from '../../../support/walk/walk.ts';

walk('contract-run');
