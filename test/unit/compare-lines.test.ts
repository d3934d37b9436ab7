import { describe, expect, it } from 'vitest';
import { compareLines } from '../servers/compare-lines.ts';

const known = { login: '200', findings: ['a', 'b'] };
const gap = { says: ['a'], because: 'It does not look for b.' };

describe('comparing lines with what an author knows', () => {
  it('names each line that differs', () => {
    const { lines, differences } = compareLines({ login: '201', findings: ['a', 'b'] }, known);
    expect(lines).toBe(2);
    expect(differences).toEqual(['login: the author knows "200", Llavero says "201"']);
  });

  it('takes a gap for what it says, and for nothing else', () => {
    expect(compareLines({ findings: ['a'] }, known, { findings: gap })).toEqual({
      lines: 1,
      differences: [],
      gaps: ['findings: It does not look for b.'],
    });
    expect(compareLines({ findings: [] }, known, { findings: gap }).differences).toHaveLength(1);
  });

  it('asks for the end of a gap that is closed, unless it comes and goes', () => {
    const { findings } = known;
    expect(compareLines({ findings }, known, { findings: gap }).differences).toEqual([
      'findings: the gap is closed; take its lines out of known.ts',
    ]);
    const sometimes = { ...gap, sometimes: true } as const;
    expect(compareLines({ findings }, known, { findings: sometimes }).differences).toEqual([]);
  });

  it('fails a line of which the author says nothing', () => {
    expect(compareLines({ more: '1' }, known).differences).toEqual([
      'more: the author knows nothing, Llavero says "1"',
    ]);
  });
});
