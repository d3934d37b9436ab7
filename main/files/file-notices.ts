import type { FileNotice } from '../../preload/contract/models.ts';

export type FileNotices = ReturnType<typeof createFileNotices>;

/** Notices about the files of the profile, from before there is a state. */
export function createFileNotices() {
  let listed: FileNotice[] = [];
  let listener = (): void => undefined;

  function change(next: FileNotice[]): void {
    listed = next;
    listener();
  }
  const isNot = (file: FileNotice['file'], problem: FileNotice['problem']) => (each: FileNotice) =>
    each.file !== file || each.problem !== problem;

  return {
    list: () => listed,
    add: (notice: FileNotice) => change([...listed.filter(isNot(notice.file, notice.problem)), notice]),
    clear(file: FileNotice['file'], problem: FileNotice['problem']): void {
      const rest = listed.filter(isNot(file, problem));
      if (rest.length < listed.length) change(rest);
    },
    onChange: (next: () => void): void => void (listener = next),
  };
}
