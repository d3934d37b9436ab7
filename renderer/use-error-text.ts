import type { AppError } from '../preload/contract/result.ts';
import { useAppState } from './api.ts';
import { type During, type ErrorTexts, errorText } from './error-text.ts';

/** Returns `errorText` for the current language and mode. */
export function useErrorText(): (error: AppError, during: During) => ErrorTexts {
  // Without a state, no mode has been chosen.
  const isSimple = useAppState()?.settings.workbench === false;
  return (error, during) => errorText(error, during, isSimple);
}
