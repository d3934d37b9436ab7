import { type RefObject, useEffect, useState } from 'react';
import type { SettingsSection } from '../../route.ts';

/**
 * Follows which section the person looks at: the one that was chosen for as long as it is in sight, else the first one.
 * `choose` brings a section to the top, and its heading takes the focus.
 * @param sections those that are shown, in their order
 */
export function useVisibleSection(ref: RefObject<HTMLElement | null>, sections: readonly SettingsSection[]) {
  const [visible, setVisible] = useState<ReadonlySet<string>>(new Set());
  const [chosen, setChosen] = useState<SettingsSection>();

  const listed = sections.join(' ');

  useEffect(() => {
    const seen = new Set<string>();
    const observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) {
        const id = target instanceof HTMLElement ? (target.dataset['section'] ?? '') : '';
        if (isIntersecting) seen.add(id);
        else seen.delete(id);
      }
      setVisible(new Set(seen));
    });
    for (const section of listed.split(' ')) {
      const part = ref.current?.querySelector(`[data-section="${section}"]`);
      if (part) observer.observe(part);
    }
    return () => observer.disconnect();
  }, [ref, listed]);

  return {
    current: chosen !== undefined && visible.has(chosen) ? chosen : sections.find((id) => visible.has(id)),
    choose: (section: SettingsSection): void => {
      setChosen(section);
      const part = ref.current?.querySelector(`[data-section="${section}"]`);
      part?.scrollIntoView({ block: 'start' });
      part?.querySelector('h2')?.focus({ preventScroll: true });
    },
  };
}
