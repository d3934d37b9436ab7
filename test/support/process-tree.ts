import { readdir, readFile } from 'node:fs/promises';

/** Returns a process and all below it, as Linux's `/proc` tells. */
export async function processTree(root: number): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    // It reads `pid (name) state parent …`. A process may have ended meanwhile.
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
    const parent = /\) \S (\d+) /.exec(stat.slice(stat.lastIndexOf(')')))?.[1];
    if (parent !== undefined) parents.set(Number(name), Number(parent));
  }
  const tree = [root];
  // The list grows while it is walked.
  for (const above of tree) for (const [pid, parent] of parents) if (parent === above) tree.push(pid);
  return tree;
}
