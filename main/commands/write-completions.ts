import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, commands, isCommand } from './command-line.ts';
import { checkOptions, checkValues } from './check-options.ts';
import { imitateOptions } from './imitate-options.ts';
import { serveOptions, serveValues } from './serve-options.ts';

// It writes what shells complete for `llavero serve`, `check` and `imitate`, made of the tables that read their arguments.
// Electron's Node runs it as it stands when packages are made: `write-completions.ts FOLDER`.

/** An option; `name` is without its dashes, and `values` are empty where they cannot be listed. */
type Option = { name: string; takesValue: boolean; values: readonly string[] };

const listOf = (
  table: Record<string, { type: 'string' | 'boolean' }>,
  values: Partial<Record<string, readonly string[]>>,
): Option[] =>
  Object.entries(table)
    .map(([name, { type }]) => ({ name, takesValue: type === 'string', values: values[name] ?? [] }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));

const options: Record<Command, Option[]> = {
  check: listOf(checkOptions, checkValues),
  imitate: listOf(imitateOptions, checkValues),
  serve: listOf(serveOptions, serveValues),
};
const offered = Object.keys(commands)
  .filter(isCommand)
  .map((command) => ({ command, about: commands[command], options: options[command] }));

function bash(): string {
  const cases = offered.map(({ command, options }) => {
    const values = options
      .filter(({ takesValue }) => takesValue)
      .map(({ name, values: known }) =>
        known.length > 0
          ? `        --${name}) COMPREPLY=($(compgen -W '${known.join(' ')}' -- "$word")) ;;`
          : `        --${name}) COMPREPLY=($(compgen -f -- "$word")) ;;`,
      );
    const names = options.map(({ name }) => `--${name}`).join(' ');
    return `    ${command})
      case "$before" in
${values.join('\n')}
        *) COMPREPLY=($(compgen -W '${names}' -- "$word")) ;;
      esac
      ;;`;
  });
  return `# Completions of llavero for bash.
_llavero() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD - 1]}"
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
    *) if [ "$COMP_CWORD" = 1 ]; then COMPREPLY=($(compgen -W '${Object.keys(commands).join(' ')}' -- "$word")); fi ;;
  esac
}
complete -o filenames -F _llavero llavero
`;
}

function zsh(): string {
  const cases = offered.map(({ command, options }) => {
    const specs = options.map(({ name, takesValue, values }) =>
      takesValue ? `'*--${name}=:${name}:${values.length > 0 ? `(${values.join(' ')})` : '_files'}'` : `'--${name}'`,
    );
    return `    ${command}) _arguments ${specs.join(' ')} ;;`;
  });
  const described = offered.map(({ command, about }) => `'${command}:${about}'`);
  return `#compdef llavero
# Completions of llavero for zsh.
if ((CURRENT == 2)); then
  local -a verbs=(${described.join(' ')})
  _describe command verbs
else
  local verb=$words[2]
  shift words
  ((CURRENT--))
  case $verb in
${cases.join('\n')}
  esac
fi
`;
}

function fish(): string {
  const lines = offered.flatMap(({ command, about, options }) => {
    const ofOptions = options.map(({ name, takesValue, values }) => {
      const value = takesValue ? (values.length > 0 ? ` -x -a '${values.join(' ')}'` : ' -r') : '';
      return `complete -c llavero -n '__fish_seen_subcommand_from ${command}' -l ${name}${value}`;
    });
    return [`complete -c llavero -n __fish_use_subcommand -a ${command} -d '${about}'`].concat(ofOptions);
  });
  return `# Completions of llavero for fish.\n${lines.join('\n')}\n`;
}

const [folder = '.'] = process.argv.slice(2);
const files = {
  'bash-completion/completions/llavero': bash(),
  'zsh/vendor-completions/_llavero': zsh(),
  'fish/vendor_completions.d/llavero.fish': fish(),
};
for (const [name, text] of Object.entries(files)) {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, text);
}
