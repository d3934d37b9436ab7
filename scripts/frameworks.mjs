import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Where Debian's packages are found, also on a machine whose PATH names another Python or Ruby first. */
const debians = (/** @type {string} */ name) => (existsSync(`/usr/bin/${name}`) ? `/usr/bin/${name}` : name);
export const python = debians('python3');
export const ruby = debians('ruby');

/**
 * The frameworks of `test/servers/` that npm does not bring, with Debian's packages for them and how each is looked for.
 * Debian's `rails` cannot be installed beside a Node that is not Debian's; `ruby-rails` can.
 * @satisfies {Record<string, { packages: string[], modules?: string[], gems?: string[] }>}
 */
const frameworks = {
  django: { packages: ['python3-djangorestframework'], modules: ['django', 'rest_framework'] },
  flask: {
    packages: ['python3-flask', 'python3-python-flask-jwt-extended'],
    modules: ['flask', 'flask_jwt_extended'],
  },
  fastapi: {
    packages: [
      'python3-fastapi',
      'uvicorn',
      'python3-jose',
      'python3-passlib',
      'python3-bcrypt',
      'python3-email-validator',
      'python3-multipart',
    ],
    modules: ['fastapi', 'uvicorn', 'jose', 'passlib', 'bcrypt', 'email_validator', 'multipart'],
  },
  djoser: {
    packages: ['python3-djoser'],
    modules: ['django', 'rest_framework', 'djoser'],
  },
  'oauth-toolkit': {
    packages: ['python3-django-oauth-toolkit'],
    modules: ['django', 'oauth2_provider', 'cryptography'],
  },
  rails: {
    packages: ['ruby-rails', 'puma', 'ruby-sqlite3', 'ruby-bcrypt'],
    gems: ['rails', 'puma', 'sqlite3', 'bcrypt'],
  },
};

/** @typedef {keyof typeof frameworks} Framework */

/** @type {Framework[]} */
export const allFrameworks = ['django', 'flask', 'fastapi', 'djoser', 'oauth-toolkit', 'rails'];

/** @param {Framework} name @returns {string[]} */
export const packagesOf = (name) => frameworks[name].packages;

const findsModules =
  'import importlib.util as found, sys; sys.exit(any(found.find_spec(name) is None for name in sys.argv[1:]))';
const findsGems = 'ARGV.each { |name| Gem::Specification.find_by_name(name) }';

/**
 * Says whether a framework and all that its server uses can be loaded.
 * @param {Framework} name
 */
export function isInstalled(name) {
  /** @type {{ modules?: string[], gems?: string[] }} */
  const { modules = [], gems = [] } = frameworks[name];
  const runs = (/** @type {string} */ program, /** @type {string[]} */ args) =>
    spawnSync(program, args, { stdio: 'ignore' }).status === 0;
  if (modules.length > 0 && !runs(python, ['-c', findsModules, ...modules])) return false;
  return gems.length === 0 || runs(ruby, ['-e', findsGems, ...gems]);
}
