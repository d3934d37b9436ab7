import { hardScenes } from '../../../support/stub-main/scenes/hard-texts.ts';
import { walkHard } from '../../../support/walk/walk.ts';

walkHard(hardScenes);
