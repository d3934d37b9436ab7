import type { RecordedCall } from '../../preload/contract/calls.ts';
import { Alert } from '../components/alert.tsx';
import { ErrorDetails } from '../components/error-message.tsx';
import { BreakableText } from '../components/untrusted-text.tsx';
import { useErrorText } from '../use-error-text.ts';
import { duringOf, urlText } from './call-text.ts';

/** Why a recorded call failed. It is part of the record, so it has no actions and takes no focus. */
export function CallFailure({ call: { failure, request } }: { call: RecordedCall }) {
  const errorText = useErrorText();
  if (!failure) return null;
  const during = duringOf(urlText(request.url));
  return (
    <Alert
      tone={failure.kind === 'cancelled' ? 'info' : 'error'}
      announce="status"
      title={<BreakableText text={errorText(failure, during).message} />}
      details={<ErrorDetails error={failure} during={during} />}
      isOpen
    />
  );
}
