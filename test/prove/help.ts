/** What `npm run prove -- --help` says. */
export const HELP = `Usage: prove axe|cli|crash|crash-logins|soak|mocks|mock-load|findings|fuzz|files|ipc|login-times|orca|packages|page|renewals|secrets|servers|slow|stock
         [options]

  axe    lets axe look at every screen in every state, language, theme and contrast [--only NAME]
  cli    makes the package of the commands, runs it on Node 22 and 24 of the registry, and compares the reports
  crash  kills the service (and its database server) at random moments, and looks for all it had answered
         --engine sqlite|postgres (both unless given)  --rounds N  --operations N  --seed N
  crash-logins  kills the application --rounds N times (100) from 0 to 500 ms after a log-in's answer, and at each of its
         write points by kill and power cut, and looks for each session that was shown, and for tokens of none  --seed N
         --only kills (without the write points)
  soak   holds a load --minutes N (10 unless given) [--engine sqlite|postgres]
  mocks  makes a mock of the service, of each of its dialects and wrong modes, and of the servers in test/servers/,
         and compares each with its original  --only NAME,NAME (all unless given)
  mock-load  kills a mock of the service as crash does the service, and compares the rates of the two  --rounds N
         --seed N
  findings  runs check --races --rounds N times (20) at servers with a planted fault, which is to be found each time, and
         at right ones, where nothing is  --only NAME,NAME
  fuzz   sends hard input to the service for --seconds N (60 unless given)  --seed N
  files  ends the process at every write point of settings and vault, by kill and by power cut  --rounds N  --seed N
  ipc    calls the application's methods --calls N times (10000 unless given) with inputs of any shape  --seed N
  slow   searches for --seconds N (300 unless given) for answers that take long to read  --seed N
  login-times  changes the cost of password hashes, and compares wrong logins of known and unknown emails  --rounds N
  orca   goes through the application with the screen reader Orca, and compares what it says with
         test/fixtures/orca/journey.txt, or renews that with --renew
  packages  makes the packages for Linux, installs them, and goes through a journey as an ordinary person
  page   plays a page under an attacker's control: all pairs of methods, and --rounds N rows of ten (1000)  --seed N
  renewals  holds sessions for --seconds N (3600 unless given) at servers with access tokens of 30 seconds, refresh tokens
         that are taken once, 5 % of answers 503 and a token against forged requests of one minute  --seed N
  secrets  looks for secrets in all that is shown and kept, --combinations N (6000 unless given) of spellings, charsets,
         containers and places, and for what is cut out although it is no secret  --seed N
  servers  compares the application and a contract run with what the authors of the servers in test/servers/ know of
         them, and says how long check takes there  --only NAME,NAME (all unless given)
  stock  installs Strapi from npm into a temporary folder, and proves its description there: a journey, a contract run,
         and a mock with the same journey

Each prints one line of JSON for each engine, and ends with 1 when something was lost or wrong.
`;
