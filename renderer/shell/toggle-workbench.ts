import type { AppState } from '../../preload/contract/models.ts';
import { api } from '../api.ts';
import { go, isWorkbenchRoom, type RoomName } from '../place.ts';

/** Changes between the Simple face and the Workbench. Who leaves the Workbench in one of its rooms goes to the account. */
export function toggleWorkbench({ settings: { workbench } }: AppState, room: RoomName): void {
  if (workbench && isWorkbenchRoom(room)) go({ room: 'account' });
  void api.settings.change({ workbench: !workbench });
}
