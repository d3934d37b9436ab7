import { CaseId } from '../../preload/contract/report-cases.ts';
import { accountLimits } from '../../preload/contract/run-limits.ts';
import { mostWrongPasswords } from '../contract-run/probe.ts';

/** The variable holds the password of a proxy, which `ps` does not show. */
export const PROXY_PASSWORD_VARIABLE = 'LLAVERO_PROXY_PASSWORD';

export const EMAIL_VARIABLE = 'LLAVERO_CHECK_EMAIL';
export const PASSWORD_VARIABLE = 'LLAVERO_CHECK_PASSWORD';

/** In characters. A longer file was piped in by mistake, and is refused. */
export const LONGEST_PASSWORD = 1000;

export const DEFAULT_RATE = 5;
export const DEFAULT_TIMEOUT_MS = 30_000;

export const HELP = `Usage: check URL [options]

Runs the contract against a server: what interface.md states is tested, what it leaves open is answered for this
server, and what is unsafe is said in words, each with its evidence. It creates accounts under example.test (or
example.com, where that is refused), maximum ${accountLimits.usual}, which the API cannot delete: use it on servers that are there for
testing. At its end it says which cases are missing, why, and which command measures them.

Where nobody can register, give it an account: its email in ${EMAIL_VARIABLE} or with --email, its password in
${PASSWORD_VARIABLE} or with --password-stdin. Then nobody is registered unless --variant says where, and at most
${mostWrongPasswords} wrong passwords are sent for the account: what needs more failed logins is not measured, or done at accounts of
its own with --variant. Take an account for tests: its other sessions may end, and reports show its email and its
profile, but never its password.

  --report FORM=FILE     writes the report; FORM is md, html, json or junit; may be given again. Without
                         it the report goes to standard output as Markdown.
  --compare FILE         compares with an earlier report in JSON, and puts only the differences on standard output
  --model FILE           writes what was learned of the server, without any secret: serve --imitate FILE answers by it
  --fail-on SEVERITY     ends with 1 also for findings from low, medium or high; none unless given. With new, for each
                         finding that --baseline does not accept
  --baseline FILE        what this file accepts fails nothing: rules that are broken and findings
  --accept REASON        accepts every fault of this run that is not accepted yet, and writes them into that file
  --history FOLDER       adds the run to the file reports.sqlite of that folder, and says what the server has changed
                         by meaning since the runs before
  --only CASE,CASE       only these cases and what they need; may be given again
  --bail                 stops at the first broken rule
  --email ADDRESS        the email of an account to use
  --password-stdin       reads the password of that account from the first line of standard input
  --variant PATH         registers its accounts at registro, register, both or none; both unless given, and none with
                         an account
  --accounts N           the most accounts to create, from ${accountLimits.least} to ${accountLimits.most}, ${accountLimits.usual} unless given
  --email-domain NAME    creates its accounts under this name, which should be yours: mail may be sent there
  --races                sends calls at once, two at a time: registrations, logins, logouts
  --throttling           tries to meet the limit on failed logins: at most 30, at an account of its own
  --rate N               maximum calls per second, from 0.1 to 100, ${DEFAULT_RATE} unless given
  --timeout MS           for each call, from 100 to 600000, ${DEFAULT_TIMEOUT_MS} unless given
  --trust-cert SHA256    trusts exactly the certificate with this fingerprint; may be given again
  --header NAME=VARIABLE adds this header to every call, as an access gateway asks for; its value is read from the
                         environment variable; may be given again
  --proxy ADDRESS        http://HOST:PORT, https://…, socks5://… or socks4://…; no other proxy is used. A user name may
                         be in it; its password is read from the variable ${PROXY_PASSWORD_VARIABLE}.
  --lang CODE            the language of reports and progress, en unless given
  --help                 this text

Exit codes: 0 passed; 1 a rule was broken, a finding is as severe as --fail-on says, or the run was ended by a
signal; 2 wrong usage; 3 the server cannot be reached, does not answer as the contract describes, or refuses the
account that it was given; 4 a report or a model could not be written, or Llavero itself failed. Ctrl-C ends the run with a report
of what was done.

Cases:
${CaseId.options.map((id) => `  ${id}`).join('\n')}
`;
