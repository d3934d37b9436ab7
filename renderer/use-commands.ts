import { useEffect, useEffectEvent } from 'react';
import type { Command } from '../preload/contract/shortcuts.ts';
import { onEvent } from './api.ts';

/** Calls `onCommand` for each command that the person chose in a native menu. */
export function useCommands(onCommand: (command: Command) => void): void {
  const run = useEffectEvent(onCommand);
  useEffect(() => onEvent('app.command', (command) => run(command)), []);
}
