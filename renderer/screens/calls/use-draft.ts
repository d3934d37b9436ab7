import { useState } from 'react';
import type { EditableRequest } from '../../../preload/contract/calls.ts';
import { secretName } from '../../answers/redacted.tsx';
import { changesOf, draftOf, requestOf, secretNamesOf, type DraftHeader } from './request-draft.ts';

/** Keeps what is typed, beside what was recorded. */
export function useDraft(editable: EditableRequest) {
  // In another language a name in the text would be another one.
  const [names] = useState(() => secretNamesOf(editable, (reference) => secretName(reference)));
  const [original] = useState(() => draftOf(editable, names));
  const [draft, setDraft] = useState(original);
  const [nextKey, setNextKey] = useState(original.headers.length);
  return {
    names,
    draft,
    nextKey,
    changes: changesOf(draft, original),
    change: (part: Partial<typeof draft>) => setDraft({ ...draft, ...part }),
    addHeader(header: Pick<DraftHeader, 'name' | 'value'>) {
      setDraft({ ...draft, headers: [...draft.headers, { key: nextKey, ...header }] });
      setNextKey(nextKey + 1);
    },
    undo: () => setDraft(original),
    request: () => requestOf(draft, editable, names),
  };
}

export type Edit = ReturnType<typeof useDraft>;
