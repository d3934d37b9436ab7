import { hardScenes } from '../../../support/stub-main/rooms/hard-texts.ts';
import { walkHard } from '../../../support/walk/walk.ts';

walkHard(hardScenes);
