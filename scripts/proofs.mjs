import { parseArgs } from 'node:util';

/**
 * @typedef {object} Option of a proof
 * @property {'number' | 'text' | 'flag' | readonly string[]} takes what follows it; a list has the only words that may
 * @property {string} [form] how the help shows what it takes
 * @property {string} [note] what the help says of it, where that is not its default
 * @property {number} [otherwise] its value unless it is given
 */

/** @typedef {'window' | 'displays' | 'commands' | 'server packages' | 'frameworks' | 'tests'} Need what is made ready before a proof */

/**
 * @typedef {object} Proof
 * @property {string} does
 * @property {Record<string, Option>} [options]
 * @property {Need[]} [needs]
 */

/** @returns {Option} */
const number = (/** @type {number} */ otherwise) => ({ takes: 'number', form: 'N', otherwise });
/** @type {Option} */
const names = { takes: 'text', form: 'NAME,NAME', note: 'all' };
/** A seed that is not given is drawn at random. @type {Option} */
const seed = { takes: 'number', form: 'N' };
const engines = /** @type {const} */ (['sqlite', 'postgres']);

/** Every proof, by what it is about. `test/prove/NAME.prove.ts` runs it. @type {Record<string, Record<string, Proof>>} */
const groups = {
  'The window': {
    axe: {
      does: 'checks every screen in every state, language, theme and contrast, wide and narrow, with axe',
      options: { only: { takes: 'text', form: 'NAME', note: 'all' } },
      needs: ['window'],
    },
    ipc: {
      does: "calls the application's methods with inputs of any shape",
      options: { calls: number(10_000), seed },
      needs: ['window'],
    },
    orca: {
      does: 'goes through the application with the screen reader Orca, and compares what it says with test/fixtures/orca/journey.txt',
      options: { renew: { takes: 'flag', note: 'writes that file' } },
      needs: ['window'],
    },
    page: {
      does: 'plays a page that an attacker controls: all pairs of methods, and N rows of ten',
      options: { rounds: number(1_000), seed },
    },
  },
  'What is stored': {
    crash: {
      does: 'kills the built-in server (and its database server) at random moments, and looks for all that it had answered',
      options: {
        engine: { takes: engines, note: 'both' },
        rounds: { takes: 'number', form: 'N', note: '100, with postgres 20' },
        operations: number(10_000),
        seed,
      },
    },
    'crash-logins': {
      does: "kills the application up to 500 ms after a login's response, and at each write point by kill and power cut, and looks for each session that was shown, and for tokens of none",
      options: { rounds: number(100), seed, only: { takes: ['kills'], note: 'without the write points' } },
    },
    files: {
      does: 'ends the process at every write point of settings and vault, by kill and power cut',
      options: { rounds: { takes: 'number', form: 'N', note: 'all' }, seed },
    },
    secrets: {
      does: 'looks for secrets in all that is shown and kept, in N combinations of spellings, charsets, containers and places, and for what is redacted although it is no secret',
      options: { combinations: number(6_000), seed },
    },
  },
  'Servers and checks': {
    findings: {
      does: 'runs check --races at servers with a planted fault, which has to be found each time, and at right ones, where nothing may be found',
      options: { rounds: number(20), only: names },
      needs: ['server packages'],
    },
    servers: {
      does: 'compares the application and a check with what is known of the servers in test/servers/, and prints how long check takes there',
      options: { only: names },
      needs: ['frameworks', 'displays', 'server packages'],
    },
    stock: {
      does: 'installs Strapi from npm into a temporary folder, and tests its API type there: a journey, a check, and a mock with the same journey',
    },
    mocks: {
      does: 'creates a mock of the built-in server, of each of its response formats and vulnerabilities, and of the servers in test/servers/, and compares each with its original',
      options: { only: names },
      needs: ['frameworks', 'server packages'],
    },
    'mock-load': {
      does: 'kills a mock as crash does the built-in server, and compares the rates of the two',
      options: { rounds: number(100), seed },
    },
    renewals: {
      does: 'holds sessions at servers with access tokens of 30 seconds, refresh tokens for one use, 5 % of responses 503 and a CSRF token of one minute',
      options: { seconds: number(3_600), seed },
    },
    slow: {
      does: 'searches for responses that take long to read',
      options: { seconds: number(300), seed },
    },
  },
  'The built-in server': {
    fuzz: { does: 'sends hard input', options: { seconds: number(60), seed } },
    'login-times': {
      does: 'changes the cost of password hashes, and compares wrong logins of known and unknown emails',
      options: { rounds: number(300) },
    },
    soak: {
      does: 'holds a load',
      options: { minutes: number(10), engine: { takes: engines, note: 'sqlite' } },
    },
  },
  'The tests': {
    faults: {
      does: 'plants each fault of test/prove/planted-faults.ts alone in a copy of the project, and runs the tests that are to find it',
      options: {
        only: { takes: 'text', form: 'TEXT', note: 'of a file, a fault or a test; all' },
        part: { takes: 'text', form: '2/4', note: 'all' },
      },
      needs: ['tests', 'server packages'],
    },
  },
  Packages: {
    cli: {
      does: 'makes the npm package of the commands, runs it on Node 22 and 24, and compares the reports',
      needs: ['commands'],
    },
    packages: {
      does: 'makes the packages for Linux, installs them, and goes through a journey as an ordinary user',
    },
  },
};

const proofs = new Map(Object.values(groups).flatMap((group) => Object.entries(group)));

const column = 14;
const widest = 116;

/** @param {[string, Option]} option */
const shown = ([name, { takes, form, note, otherwise }]) => {
  const value = form ?? (Array.isArray(takes) ? takes.join('|') : undefined);
  const said = note ?? otherwise;
  return `[${[`--${name}`, ...(value ? [value] : []), ...(said === undefined ? [] : [`(${said})`])].join(' ')}]`;
};

/** @param {[string, Proof]} proof @returns {string} its lines of the help */
function lines([name, { does, options = {} }]) {
  const written = [''];
  // An option is not parted.
  for (const piece of [...does.split(' '), ...Object.entries(options).map(shown)]) {
    const last = written.at(-1) ?? '';
    if (2 + column + last.length + 1 + piece.length > widest) written.push(piece);
    else written[written.length - 1] = last === '' ? piece : `${last} ${piece}`;
  }
  return `  ${name.padEnd(column)}${written.join(`\n${' '.repeat(2 + column)}`)}`;
}

/** What `npm run prove -- --help` prints. */
export const help = () => `Usage: npm run prove -- NAME [options]

Runs one of the long proofs, of which npm test runs a small part where it can.

${Object.entries(groups)
  .map(([title, group]) => `${title}:\n${Object.entries(group).map(lines).join('\n')}\n`)
  .join('\n')}
Each prints one line of JSON for each summary, and faults a table. A seed that is not given is drawn, and printed.

Exit codes: 0 nothing was lost or wrong; 1 something was; 2 invalid usage.
`;

/** @param {string} name @param {Option} option @param {string | boolean} given */
function valueOf(name, { takes }, given) {
  if (takes === 'number') {
    if (given === '' || !(Number(given) >= 0)) throw new Error(`The option --${name} takes a number.`);
    return Number(given);
  }
  if (Array.isArray(takes) && !takes.includes(given))
    throw new Error(`The option --${name} takes ${takes.join(' or ')}.`);
  return given;
}

const parsed = {
  help: { type: /** @type {const} */ ('boolean') },
  ...Object.fromEntries(
    [...proofs.values()].flatMap(({ options = {} }) =>
      Object.entries(options).map(([name, { takes }]) => {
        const type = takes === 'flag' ? /** @type {const} */ ('boolean') : /** @type {const} */ ('string');
        return [name, { type }];
      }),
    ),
  ),
};

/**
 * Reads what follows `npm run prove --`. It throws an error whose message is for the person who wrote that.
 * @param {string[]} args
 * @returns {{ name: string, needs: Need[], options: Record<string, string | number | boolean> } | undefined} undefined
 *   when the help is asked for
 */
export function readProof(args) {
  const { values, positionals } = parse(args);
  if (values.help) return undefined;
  const [name = '', ...more] = positionals;
  const proof = proofs.get(name);
  const all = [...proofs.keys()].join(', ');
  if (name === '') throw new Error(`The name of a proof is missing: ${all}.`);
  if (!proof) throw new Error(`There is no proof "${name}", only ${all}.`);
  if (more.length > 0) throw new Error(`One proof runs at a time, not ${positionals.join(' and ')}.`);

  const { options: known = {}, needs = [] } = proof;
  /** @type {Record<string, string | number | boolean>} */
  const options = 'seed' in known ? { seed: Math.floor(Math.random() * 1e9) } : {};
  for (const [option, { otherwise }] of Object.entries(known)) if (otherwise !== undefined) options[option] = otherwise;
  for (const [option, given] of Object.entries(values)) {
    const its = known[option];
    if (!its) throw new Error(`The proof ${name} has no option --${option}.`);
    if (given !== undefined) options[option] = valueOf(option, its, given);
  }
  return { name, needs, options };
}

/** @param {string[]} args */
function parse(args) {
  try {
    return parseArgs({ args, allowPositionals: true, options: parsed });
  } catch (error) {
    const said = String(error);
    const [option] = /--[\w-]+/.exec(said) ?? [];
    const sentence = said.includes('Unknown option')
      ? `There is no option ${option}.`
      : `The value of ${option} is wrong.`;
    throw new Error(sentence, { cause: error });
  }
}
