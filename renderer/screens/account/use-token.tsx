import { useState } from 'react';
import linkClasses from '../../components/link-button.module.css';
import { lazyComponent } from '../../components/lazy-component.tsx';

/** Asks for a token that somebody got elsewhere, and makes a session of it. */
export const TokenDialog = lazyComponent(async () => (await import('./token-dialog.tsx')).TokenDialog);

/** Leads to that dialog, and holds it. */
export function UseToken({ label }: { label: string }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" className={linkClasses.link} data-size="small" onClick={() => setIsOpen(true)}>
        {label}
      </button>
      {isOpen && <TokenDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
