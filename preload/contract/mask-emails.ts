// It begins where a word begins, so that a long text without an email is read once. `%40` stands for @ in a form's body.
const email = /(?<![^\s@<>()[\]",;:=&])[^\s@<>()[\]",;:=&]+(@|%40)[^\s@<>()[\]",;:=&]+/giu;

/** Returns a text in which only the first letters and the end of each email are left: `a•••@e•••.test`. */
export const maskEmails = (text: string): string =>
  text.replace(email, (found, at: string) => {
    const domain = found.slice(found.lastIndexOf(at) + at.length);
    const dot = domain.lastIndexOf('.');
    return `${first(found)}•••${at}${first(domain)}•••${dot > 0 ? domain.slice(dot) : ''}`;
  });

const first = (text: string): string => Array.from(text)[0] ?? '';
