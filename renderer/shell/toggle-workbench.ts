import type { AppState } from '../../preload/contract/models.ts';
import { go, isWorkbenchRoom, type RoomName } from '../place.ts';
import type { Actions } from './use-actions.ts';

/** Changes between the Simple face and the Workbench. Who leaves the Workbench in one of its rooms goes to the account. */
export function toggleWorkbench(
  { settings: { workbench } }: AppState,
  room: RoomName,
  { change }: Pick<Actions, 'change'>,
): void {
  if (workbench && isWorkbenchRoom(room)) go({ room: 'account' });
  change({ workbench: !workbench });
}
