import path from 'node:path';

type Print = (summary: object) => void;
type Doubles = {
  only: string | undefined;
  say: (text: string) => void;
  print: Print;
  refuse: (sentence: string) => never;
};

/** Compares doubles with their originals, and prints a table. */
export async function doubles({ only: wanted, say, print, refuse }: Doubles): Promise<boolean> {
  const { originalNames, proveDoubles } = await import('./doubles.ts');
  const only = wanted?.split(',') ?? originalNames;
  const unknown = only.find((name) => !originalNames.includes(name));
  if (unknown !== undefined) refuse(`There is no server ${unknown}: the option --only takes ${originalNames.join()}.`);
  const summary = await proveDoubles({ only, onRow: (row) => say(row) });
  print(summary);
  return summary.differing.length === 0;
}

/** Puts a double under load, kills it, and compares how fast it and the service answer. */
export async function doubleLoad(given: {
  folder: string;
  seed: number;
  rounds: number;
  print: Print;
}): Promise<boolean> {
  const { measureDoubleRates, proveDoubleCrash } = await import('./double-load.ts');
  const crashed = await proveDoubleCrash({ ...given, operations: 10_000 });
  const model = path.join(given.folder, 'service-model.json');
  const rates = await measureDoubleRates(given.folder, model, { rounds: 9, seconds: 3 });
  given.print({ ...crashed, name: 'mock-load', rates });
  return crashed.lost === 0 && rates.ratio > 0.8 && rates.ratio < 1.25;
}
