import { hardScenes } from '../../../support/stub-main/hard-scenes.ts';
import { walkHard } from '../../../support/walk/walk.ts';

walkHard(hardScenes);
