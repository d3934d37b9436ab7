import { axeFindsNothingWrong } from '../../../support/stub-main/axe-sights.ts';
import { openForAll } from '../../../support/stub-main/opened-stub.ts';
import { sights } from '../../../support/stub-main/sights/lock-and-storage.ts';

openForAll();
axeFindsNothingWrong(sights);
