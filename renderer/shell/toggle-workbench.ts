import type { AppState } from '../../preload/contract/models.ts';
import { navigate, isWorkbenchPage, type PageName } from '../route.ts';
import type { Actions } from './use-actions.ts';

/** Changes between the Simple face and the Workbench. Who leaves the Workbench in one of its rooms goes to the account. */
export function toggleWorkbench(
  { settings: { workbench } }: AppState,
  room: PageName,
  { change }: Pick<Actions, 'change'>,
): void {
  if (workbench && isWorkbenchPage(room)) navigate({ room: 'account' });
  change({ workbench: !workbench });
}
