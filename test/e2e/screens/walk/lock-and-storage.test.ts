import { walk } from '../../../support/walk/walk.ts';

walk('lock-and-storage');
