import type { AppError } from '../preload/contract/result.ts';
import { useAppState } from './api.ts';
import { type During, type ErrorTexts, errorText } from './error-text.ts';

/** Returns what says an error in the language of the window, without technical words in the simple mode. */
export function useErrorText(): (error: AppError, during: During) => ErrorTexts {
  // Before there is a state, nobody has chosen a face.
  const isSimple = useAppState()?.settings.workbench === false;
  return (error, during) => errorText(error, during, isSimple);
}
