/** What `npm run prove -- --help` prints. */
export const HELP = `Usage: npm run prove -- NAME [options]

Runs one of the long proofs, of which npm test runs a small part.

The window:
  axe           checks every screen in every state, language, theme and contrast with axe  [--only NAME]
  ipc           calls the application's methods with inputs of any shape  [--calls N (10000)] [--seed N]
  orca          goes through the application with the screen reader Orca, and compares what it says with
                test/fixtures/orca/journey.txt  [--renew writes that file]
  page          plays a page that an attacker controls: all pairs of methods, and N rows of ten
                [--rounds N (1000)] [--seed N]

What is stored:
  crash         kills the built-in server (and its database server) at random moments, and looks for all that it
                had answered  [--engine sqlite|postgres (both)] [--rounds N] [--operations N] [--seed N]
  crash-logins  kills the application up to 500 ms after a login's response, and at each write point by kill and
                power cut, and looks for each session that was shown, and for tokens of none
                [--rounds N (100)] [--seed N] [--only kills (without the write points)]
  files         ends the process at every write point of settings and vault, by kill and power cut
                [--rounds N] [--seed N]
  secrets       looks for secrets in all that is shown and kept, in N combinations of spellings, charsets,
                containers and places, and for what is redacted although it is no secret
                [--combinations N (6000)] [--seed N]

Servers and checks:
  findings      runs check --races at servers with a planted fault, which has to be found each time, and at right
                ones, where nothing may be found  [--rounds N (20)] [--only NAME,NAME (all)]
  servers       compares the application and a check with what is known of the servers in test/servers/, and
                prints how long check takes there  [--only NAME,NAME (all)]
  stock         installs Strapi from npm into a temporary folder, and tests its API type there: a journey, a check,
                and a mock with the same journey
  mocks         creates a mock of the built-in server, of each of its response formats and vulnerabilities, and of
                the servers in test/servers/, and compares each with its original  [--only NAME,NAME (all)]
  mock-load     kills a mock as crash does the built-in server, and compares the rates of the two
                [--rounds N] [--seed N]
  renewals      holds sessions at servers with access tokens of 30 seconds, refresh tokens for one use, 5 % of
                responses 503 and a CSRF token of one minute  [--seconds N (3600)] [--seed N]
  slow          searches for responses that take long to read  [--seconds N (300)] [--seed N]

The built-in server:
  fuzz          sends hard input  [--seconds N (60)] [--seed N]
  login-times   changes the cost of password hashes, and compares wrong logins of known and unknown emails
                [--rounds N]
  soak          holds a load  [--minutes N (10)] [--engine sqlite|postgres]

The tests:
  faults        plants each fault of test/prove/planted-faults.ts alone in a copy of the project, and runs the tests
                that are to find it  [--only TEXT (of a file, a fault or a test; all)] [--part 2/4 (all)]

Packages:
  cli           makes the npm package of the commands, runs it on Node 22 and 24, and compares the reports
  packages      makes the packages for Linux, installs them, and goes through a journey as an ordinary user

Each prints one line of JSON per engine, and faults a table.

Exit codes: 0 nothing was lost or wrong; 1 something was; 2 invalid usage.
`;
